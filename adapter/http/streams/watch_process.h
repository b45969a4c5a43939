// One `elapid watch` as a process of its own, so that a stream that breaks its check does not harm
// the server.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/result.h"

namespace elapid::http {

/// How a process ended: exactly one member has a value.
struct ProcessEnd {
  std::optional<int> exit_code = {};
  std::optional<int> signal = {};
};

class WatchProcess {
 public:
  /// The files for its output, and its limit.
  struct Surroundings {
    std::string out = {};                      ///< a file to append to
    std::string errors = {};                   ///< a file to overwrite
    std::optional<std::uint64_t> memory = {};  ///< bytes of data
  };

  /// Starts a command without input. The process dies with the thread that calls this, for any
  /// reason, so that no process holds a state without a server. Error kUnreadable.
  static Result<WatchProcess> start(const std::vector<std::string>& command,
                                    const Surroundings& surroundings);

  WatchProcess(WatchProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

  WatchProcess& operator=(WatchProcess&&) = delete;

  /// Kills the process if it still runs.
  ~WatchProcess();

  /// How the process ended, if it has.
  std::optional<ProcessEnd> ended();

  /// Asks the process with SIGTERM to save its state and end.
  void ask_to_end() const { signal(15); }

  void kill() const { signal(9); }

 private:
  explicit WatchProcess(pid_t pid) : pid_(pid) {}

  void signal(int number) const;

  pid_t pid_;  // -1 once the process was waited for
};

}  // namespace elapid::http
