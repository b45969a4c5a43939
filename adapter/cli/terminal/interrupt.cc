#include "adapter/cli/terminal/interrupt.h"

#include <signal.h>

#include <atomic>

namespace elapid {
namespace {

std::atomic<bool> interrupt_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

extern "C" void note_interrupt(int /*signal*/) {
  interrupt_seen.store(true);
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
  catch_once(SIGINT);
}

void catch_termination() {
  catch_once(SIGTERM);
}

bool take_interrupt() {
  return interrupt_seen.exchange(false);
}

bool interrupted() {
  return interrupt_seen.load();
}

}  // namespace elapid
