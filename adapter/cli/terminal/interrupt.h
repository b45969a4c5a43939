// Ctrl-C: the first asks for a clean stop, the second kills.
#pragma once

namespace elapid {

/// From now on one SIGINT only sets a flag, which long work asks for in its progress callback, and
/// ends waits for input (FileDescriptor::wait()).
void catch_interrupt();

/// Catches SIGTERM in the same way, for programs that run until they are told to end.
void catch_termination();

/// Whether one of the signals came. Safe from any thread.
[[nodiscard]] bool interrupted();

/// As interrupted(), but clears the flag, so that later work goes on. The next signal kills.
[[nodiscard]] bool take_interrupt();

}  // namespace elapid
