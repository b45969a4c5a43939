// A process with all its descendants: some servers consist of many processes.
#pragma once

#include <sys/types.h>

#include <vector>

namespace elapid {

/// The process and its descendants by /proc, parents before their children. A process is no
/// descendant any more after its parent ended.
[[nodiscard]] std::vector<pid_t> process_tree(pid_t root);

/// Sends a signal to each of them, parents first.
void signal_tree(const std::vector<pid_t>& tree, int signal);

/// Stops each of them (SIGSTOP), and waits until all their threads have stopped: a thread on
/// another core may do much before it takes the signal. A thread that waits for a disk stops later;
/// the wait for it ends after 2 s.
void stop_tree(const std::vector<pid_t>& tree);

}  // namespace elapid
