// A small process that cleans up behind this one, should it die before its time (kill -9).
#pragma once

#include <sys/types.h>

#include <functional>
#include <utility>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

/// Lives as long as this object, and a moment longer where the program ends without destroying it.
/// It hears none of the terminal's signals, and holds no file that another process waits for.
class Guard {
 public:
  /// `clean_up` is what it does then. It finds everything as it is now, but of the files that are
  /// open only `keeps`, if that is one. To be called before the program has threads: it forks.
  /// Error kUnreadable: there can be no such process.
  static Result<Guard> begin(const std::function<void()>& clean_up, int keeps = -1);

  Guard(Guard&& other) noexcept
      : leash_(std::move(other.leash_)), pid_(std::exchange(other.pid_, -1)) {}

  Guard& operator=(Guard&&) = delete;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// Lets it go: nothing is to be cleaned up.
  ~Guard();

 private:
  Guard(FileDescriptor leash, pid_t pid) : leash_(std::move(leash)), pid_(pid) {}

  FileDescriptor leash_;  // whose other end it reads
  pid_t pid_;
};

}  // namespace elapid
