// A process with all that it has started, directly or through others: servers spread over many.
#pragma once

#include <sys/types.h>

#include <vector>

namespace elapid {

/// The process and its descendants as /proc has them, parents before their children. A process
/// whose parent has ended is no descendant any more.
[[nodiscard]] std::vector<pid_t> process_tree(pid_t root);

/// Sends a signal to each of them, to parents first.
void signal_tree(const std::vector<pid_t>& tree, int signal);

/// Stops each of them (SIGSTOP), and waits until all their threads have stopped: a thread that runs
/// on another core when the signal is sent may do much before it takes it. A thread that waits for
/// a disk stops later; after 2 s it is not waited for any longer.
void stop_tree(const std::vector<pid_t>& tree);

}  // namespace elapid
