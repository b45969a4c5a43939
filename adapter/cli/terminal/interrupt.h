// Ctrl-C: the first asks for a clean stop, the second kills.
#pragma once

namespace elapid {

/// From now on one SIGINT only sets a flag, which long work asks for through its progress callback.
void catch_interrupt();

/// The same for SIGTERM: for what runs until it is told to end.
void catch_termination();

/// Whether one of them came. Safe from any thread.
[[nodiscard]] bool interrupted();

/// The same, and forgets it: what has stopped goes on with what follows, and the next one kills.
[[nodiscard]] bool take_interrupt();

}  // namespace elapid
