// One run on a real database, from its new folder to the finished record.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/cli/commands/run/run_folder.h"
#include "adapter/cli/commands/run/run_request.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/terminal/progress.h"
#include "engine/ir/result.h"
#include "engine/ir/thread.h"
#include "harness/drive/drive.h"
#include "harness/drive/driver.h"
#include "harness/drive/nemesis.h"
#include "harness/drive/recorder.h"
#include "harness/drive/request_feed.h"
#include "harness/process/scratch_folder.h"
#include "harness/servers/private_server.h"

namespace elapid {

/// Checks a history while it is recorded. The first violation that no later event can revoke ends
/// the run.
class OnlineCheck {
 public:
  /// Begins to check the history of events at `path`, again and again.
  OnlineCheck(const std::string& path, const CheckRequest& request);
  OnlineCheck(const OnlineCheck&) = delete;
  OnlineCheck& operator=(const OnlineCheck&) = delete;

  /// Ends the checks.
  ~OnlineCheck();

  [[nodiscard]] bool has_found_violation() const { return has_found_.load(); }

  /// Ends the check that runs.
  void end() { is_ending_ = true; }

 private:
  std::atomic<bool> has_found_ = false;
  std::atomic<bool> is_ending_ = false;
  Thread thread_;  // an error in it ends no run: the whole history is checked after the run
};

/// Requires that the program has no threads yet: recording forks guards of the files.
class RecordedRun {
 public:
  /// `progress` shows the progress of the run, and must outlive it.
  RecordedRun(const RunRequest& request, RunFolder folder, Progress& progress)
      : request_(request), folder_(std::move(folder)), progress_(progress) {}

  /// Starts the database and lets the clients work. Error: the run could not begin, for example
  /// because the database rejects a client. Then nothing of it is left.
  Status record();

  /// Why the clients ended early, if they did. The record is complete in any case.
  [[nodiscard]] const Status& stopped_by() const { return stopped_by_; }

  [[nodiscard]] std::string folder() const { return folder_.path(); }

  /// A file of the run.
  [[nodiscard]] std::string file(std::string_view name) const {
    return folder_.path() + '/' + std::string(name);
  }

  [[nodiscard]] std::string history() const { return file("history.edn"); }

  [[nodiscard]] const std::vector<DatabaseFact>& facts() const { return facts_; }

  /// Absent if the sessions could not go on.
  [[nodiscard]] const std::optional<DriveCounts>& counts() const { return counts_; }

  /// For people: what the run did, and how much.
  [[nodiscard]] std::string summary() const;

 private:
  using Clock = std::chrono::steady_clock;

  Status make_scratch();
  Result<std::vector<RecordedFile>> begin_files() const;
  Status open();
  Status start_server(DatabaseUri& uri);
  Status drive_database(std::vector<RecordedFile> files);
  bool should_stop(const OnlineCheck* online, const Recorder& recorder);

  const RunRequest& request_;
  RunFolder folder_;
  Progress& progress_;
  std::unique_ptr<ScratchFolder> scratch_ = {};
  std::optional<FaultInjector> nemesis_ = {};  // its thread has started the server, and outlives it
  std::optional<PrivateServer> server_ = {};
  std::unique_ptr<RequestFeed> feed_ = {};
  std::unique_ptr<Database> database_ = {};
  std::vector<DatabaseFact> facts_ = {};
  std::optional<DriveCounts> counts_ = {};
  bool has_begun_ = false;
  Status stopped_by_ = {};
  bool was_online_violation_ = false;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace elapid
