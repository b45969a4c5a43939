// The checked runs of a store, and their jobs: a table beside the table of jobs. A run counts as
// unchecked if its history has changed since, or if its job was removed.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "adapter/http/checks/check_routes.h"
#include "adapter/http/problem.h"
#include "adapter/http/runs/stored_runs.h"
#include "engine/ir/result.h"

namespace elapid::http {

class RunChecks {
 public:
  /// Makes the table if there is none. The parts of `service` must outlive this. Error
  /// kUnreadable.
  static Result<std::unique_ptr<RunChecks>> open(const CheckService& service,
                                                 const std::string& folder);

  /// The ids of the jobs of these runs, by the runs' paths. Error kUnreadable.
  [[nodiscard]] Result<std::map<std::string, std::string>> jobs_of(
      const std::vector<StoredRun>& runs);

  /// Copies the run's history for a job with these options (Question::options). Problem 409: the
  /// run has not ended, or is a folder of files; 413: it is too large.
  [[nodiscard]] std::variant<Job, Problem> check(const StoredRun& run,
                                                 std::vector<std::string> options);

  /// Asks for a check of each ended run whose present history has no check. A run that cannot be
  /// read is left for the next call. So are all remaining ones if the service takes no more, or if
  /// `should_stop` returns true.
  void check_new(const std::vector<StoredRun>& runs, const std::function<bool()>& should_stop);

 private:
  RunChecks(const CheckService& service, std::string folder)
      : service_(service), folder_(std::move(folder)) {}

  [[nodiscard]] std::string key_of(const StoredRun& run) const { return folder_ + "/" + run.path; }

  CheckService service_;
  std::string folder_;
};

}  // namespace elapid::http
