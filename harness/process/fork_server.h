// A process that is prepared once, and forks for each run. So a run is a process of its own, with
// its own limits and its own end, but does not load the program or repeat the preparation.
// `run_program()` takes one; see program_run.h.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "harness/process/program_run.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

/// One run at a time. Several threads may use it, one after another.
class ForkServer {
 public:
  /// The function of a run: from the words of a command to an exit code.
  using Program = std::function<int(const std::vector<std::string>&)>;

  /// Call it before this program has threads: it forks. The new process has no files of this one,
  /// and standard streams without a target. It calls `prepare` once. Its own forks call `program`.
  /// It ends with this object, or with this process, and a run ends with it. Error: kUnreadable if
  /// the process cannot be made.
  static Result<ForkServer> begin(const Program& program, const std::function<void()>& prepare);

  ForkServer(ForkServer&& other) noexcept;
  ForkServer& operator=(ForkServer&&) = delete;
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;
  ~ForkServer();

  /// Starts a run in `folder`, with `out` and `err` as its standard output and error. Returns its
  /// process. -1 if the server has ended, or if the command is too long (some 100 kB): then start
  /// the command without the server.
  pid_t start(const std::vector<std::string>& command, const std::string& folder,
              const RunLimits& limits, int out, int err);

  /// Becomes readable when the run or the server ends. Until collect(), no other process gets the
  /// number of this one.
  [[nodiscard]] int fd() const { return line_.get(); }

  /// The status and resource usage of an ended run, as wait4() gives them. False if the server
  /// ended first, and the run with it.
  bool collect(int& status, rusage& used);

 private:
  ForkServer(FileDescriptor line, pid_t pid) : line_(std::move(line)), pid_(pid) {}

  FileDescriptor line_;  // to the server
  pid_t pid_;
};

}  // namespace elapid
