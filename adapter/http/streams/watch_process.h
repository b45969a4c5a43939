// One `elapid watch` as a process of its own, so that nothing that a stream does to its check
// reaches the server.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/result.h"

namespace elapid::http {

/// How a process ended: one of both is there.
struct ProcessEnd {
  std::optional<int> exit_code = {};
  std::optional<int> signal = {};
};

class WatchProcess {
 public:
  /// Where its output goes, and what it may take.
  struct Surroundings {
    std::string out = {};                      ///< a file that it is added to
    std::string errors = {};                   ///< a file that is written anew
    std::optional<std::uint64_t> memory = {};  ///< bytes of data
  };

  /// Starts a command with no input. It dies with the thread that calls this, however that ends, so
  /// that a state is never held by a process without a server. Error kUnreadable.
  static Result<WatchProcess> start(const std::vector<std::string>& command,
                                    const Surroundings& surroundings);

  WatchProcess(WatchProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

  WatchProcess& operator=(WatchProcess&&) = delete;

  /// Kills it, if it still runs.
  ~WatchProcess();

  /// How it has ended, if it has.
  std::optional<ProcessEnd> ended();

  /// Asks it to end, with what is known on the disk: SIGTERM.
  void ask_to_end() const { signal(15); }

  void kill() const { signal(9); }

 private:
  explicit WatchProcess(pid_t pid) : pid_(pid) {}

  void signal(int number) const;

  pid_t pid_;  // -1 once it has been waited for
};

}  // namespace elapid::http
