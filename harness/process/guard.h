// A small process that cleans up after this one, if this one dies early (kill -9).
#pragma once

#include <sys/types.h>

#include <functional>
#include <utility>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

/// Lives as long as this object, or a moment longer if the program ends without destroying the
/// object. It gets no signals of the terminal, and keeps no file open that others wait for.
class Guard {
 public:
  /// `clean_up`: what the guard does then. It sees all memory as it is now. Of open files it keeps
  /// only `keeps`, if that is a file. Call it before the program has threads: it forks. Error:
  /// kUnreadable if the process cannot be made.
  static Result<Guard> begin(const std::function<void()>& clean_up, int keeps = -1);

  Guard(Guard&& other) noexcept
      : leash_(std::move(other.leash_)), pid_(std::exchange(other.pid_, -1)) {}

  Guard& operator=(Guard&&) = delete;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// Ends the guard without a clean-up.
  ~Guard();

 private:
  Guard(FileDescriptor leash, pid_t pid) : leash_(std::move(leash)), pid_(pid) {}

  FileDescriptor leash_;  // the guard reads the other end
  pid_t pid_;
};

}  // namespace elapid
