// Which runs of a store were checked, and by which job: a table beside that of the jobs. A run
// whose history has changed since, or whose job was removed, is one that was not checked.
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
  /// Makes the table if there is none; what `service` refers to must outlive this. Error
  /// kUnreadable.
  static Result<std::unique_ptr<RunChecks>> open(const CheckService& service,
                                                 const std::string& folder);

  /// The ids of the jobs of these runs, by the runs' paths. Error kUnreadable.
  [[nodiscard]] Result<std::map<std::string, std::string>> jobs_of(
      const std::vector<StoredRun>& runs);

  /// Takes a copy of the run's history for a job with these options (Question::options). Problem
  /// 409: it has not ended, or is a folder of files; 413: it is too large.
  [[nodiscard]] std::variant<Job, Problem> check(const StoredRun& run,
                                                 std::vector<std::string> options);

  /// Asks for a check of each run that has ended and for which none was asked as it is now. One
  /// that cannot be read is left for the next call; so is all that is left when the service takes
  /// no more, or `should_stop` says so.
  void check_new(const std::vector<StoredRun>& runs, const std::function<bool()>& should_stop);

 private:
  RunChecks(const CheckService& service, std::string folder)
      : service_(service), folder_(std::move(folder)) {}

  [[nodiscard]] std::string key_of(const StoredRun& run) const { return folder_ + "/" + run.path; }

  CheckService service_;
  std::string folder_;
};

}  // namespace elapid::http
