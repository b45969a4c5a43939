// The routes that accept histories and return their verdicts: /v1/checks.
#pragma once

#include <functional>

#include "adapter/http/checks/check_door.h"
#include "adapter/http/checks/job_files.h"
#include "adapter/http/checks/job_queue.h"
#include "adapter/http/checks/upload.h"
#include "adapter/http/metrics.h"
#include "adapter/http/routes.h"

namespace elapid::http {

/// The objects that the routes use; all of them must outlive the routes.
struct CheckService {
  JobQueue& queue;
  JobFiles& files;
  const CheckDoor& door;
  Metrics& metrics;
  UploadLimits limits = {};
  std::function<void()> wake = {};  ///< announces a job; may be empty
};

/// Accepts a question with its history in `file`, which is moved away, or finds the existing job.
/// Errors: those of queue and files.
[[nodiscard]] Result<JobQueue::Added> accept_history(const CheckService& service,
                                                     const Question& question,
                                                     const std::string& file);

void add_check_routes(RouteTable& routes, const CheckService& service);

}  // namespace elapid::http
