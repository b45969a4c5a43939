// A process that is made ready once, and forks for each run. So a run is a process of its own, with
// its own limits and its own end, and pays neither for loading a program nor for what each run of
// it does first. `run_program()` takes one; see program_run.h.
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

/// One run at a time. Safe from several threads, one after the other.
class ForkServer {
 public:
  /// What a run does: from the words of a command to an exit code.
  using Program = std::function<int(const std::vector<std::string>&)>;

  /// To be called before this program has threads: it forks. The new process, in which no file of
  /// this one is open and standard streams lead nowhere, calls `prepare` once; processes that are
  /// forked from it call `program`. It ends when this object does, or this process. Error
  /// kUnreadable: there can be no such process.
  static Result<ForkServer> begin(const Program& program, const std::function<void()>& prepare);

  ForkServer(ForkServer&& other) noexcept;
  ForkServer& operator=(ForkServer&&) = delete;
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;
  ~ForkServer();

  /// Starts a run in `folder`, whose standard output and error are these; its process. -1: the
  /// server has ended, or the command is too long for it (some 100 kB), and the command can be
  /// started otherwise.
  pid_t start(const std::vector<std::string>& command, const std::string& folder,
              const RunLimits& limits, int out, int err);

  /// Can be read from when the run has ended, or the server has. Until collect() no other process
  /// has the number of this one.
  [[nodiscard]] int fd() const { return line_.get(); }

  /// Status and use of the run, as wait4() tells them, once it has ended. False: the server ended
  /// before, and the run with it.
  bool collect(int& status, rusage& used);

 private:
  ForkServer(FileDescriptor line, pid_t pid) : line_(std::move(line)), pid_(pid) {}

  FileDescriptor line_;  // to the process that forks
  pid_t pid_;
};

}  // namespace elapid
