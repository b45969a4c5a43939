#include "adapter/cli/terminal/interrupt.h"

#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "parsers/bytes/file_descriptor.h"

namespace elapid {
namespace {

std::atomic<bool> interrupt_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

/// Readable once a signal came, and until take_interrupt().
std::atomic<int> interrupt_event{-1};

/// The process that made the event. Its forked children share it, and must not end its waits.
std::atomic<pid_t> event_owner{-1};

extern "C" void note_interrupt(int /*signal*/) {
  const int before = errno;
  interrupt_seen.store(true);
  if (::getpid() == event_owner.load()) {
    const std::uint64_t one = 1;
    (void)!::write(interrupt_event.load(), &one, sizeof(one));
  }
  errno = before;
}

void catch_once(int signal) {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  // The handler works once: the second Ctrl-C kills.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupt() {
  if (interrupt_event.load() < 0) {
    event_owner.store(::getpid());
    interrupt_event.store(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    end_waits_by(interrupt_event.load());
  }
  catch_once(SIGINT);
}

void catch_termination() {
  catch_once(SIGTERM);
}

bool take_interrupt() {
  std::uint64_t count = 0;
  (void)!::read(interrupt_event.load(), &count, sizeof(count));
  return interrupt_seen.exchange(false);
}

bool interrupted() {
  return interrupt_seen.load();
}

}  // namespace elapid
