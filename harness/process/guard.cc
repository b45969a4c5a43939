#include "harness/process/guard.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "engine/ir/thread.h"

namespace elapid {
namespace {

/// Closes all descriptors but the leash and, if given, `keeps`.
void close_others(int leash, int keeps) {
  unsigned next = 0;
  std::array<int, 2> kept = {keeps, leash};
  std::ranges::sort(kept);
  for (const int fd : kept) {
    if (fd < 0) {
      continue;
    }
    const auto number = static_cast<unsigned>(fd);
    if (number > next) {
      ::close_range(next, number - 1, 0);
    }
    next = number + 1;
  }
  ::close_range(next, ~0U, 0);
}

/// The work of the guard. A byte on the leash tells that all is well. The end of the leash without
/// a byte tells that the program has died.
[[noreturn]] void stand_guard(int leash, int keeps, const std::function<void()>& clean_up) {
  ::setsid();
  close_others(leash, keeps);
  char byte = 0;
  ssize_t got = -1;
  while ((got = ::read(leash, &byte, 1)) < 0 && errno == EINTR) {
  }
  if (got == 0) {
    (void)caught(clean_up);  // nothing may unwind the parent's stack
  }
  ::_exit(0);
}

}  // namespace

Result<Guard> Guard::begin(const std::function<void()>& clean_up, int keeps) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error("a process that cleans up", "cannot be told anything");
  }
  const FileDescriptor theirs(ends[0]);
  FileDescriptor leash(ends[1]);
  const pid_t pid = ::fork();
  if (pid < 0) {
    return system_error("a process that cleans up", "cannot be started");
  }
  if (pid == 0) {
    stand_guard(theirs.get(), keeps, clean_up);
  }
  return Guard(std::move(leash), pid);
}

Guard::~Guard() {
  if (pid_ < 0) {
    return;
  }
  static_cast<void>(::write(leash_.get(), "", 1) != 1);
  leash_ = FileDescriptor();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace elapid
