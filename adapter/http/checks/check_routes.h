// The addresses under which histories are posted and their verdicts read: /v1/checks.
#pragma once

#include <functional>

#include "adapter/http/checks/check_door.h"
#include "adapter/http/checks/job_files.h"
#include "adapter/http/checks/job_queue.h"
#include "adapter/http/checks/upload.h"
#include "adapter/http/metrics.h"
#include "adapter/http/routes.h"

namespace elapid::http {

/// What the routes stand on; all of it must outlive them.
struct CheckService {
  JobQueue& queue;
  JobFiles& files;
  const CheckDoor& door;
  Metrics& metrics;
  UploadLimits limits = {};
  std::function<void()> wake = {};  ///< says that there is a job; may be empty
};

/// Accepts a question whose history is in `file`, which is taken away, or finds the job that there
/// is. Errors: those of queue and files.
[[nodiscard]] Result<JobQueue::Added> accept_history(const CheckService& service,
                                                     const Question& question,
                                                     const std::string& file);

void add_check_routes(RouteTable& routes, const CheckService& service);

}  // namespace elapid::http
