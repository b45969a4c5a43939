// Cycles of operations that depend on one another through messages, or are ordered by real time.
//
//   T1 sends a and polls b    T2 sends b and polls a    G1c: each sent what the other polled
//
// Edges are wr, from the sender of a message to every operation that polled it, and, on request,
// ww, between the senders of neighbours in the version order; and real time. There is no rw: that
// an operation did not poll a message says nothing.
//
// After jepsen.tests.kafka (cycles!), which asks Elle for strict serializability; so each cycle
// with session order counts as one with real time.
#pragma once

#include <functional>
#include <vector>

#include "engine/infer/inference.h"
#include "engine/workloads/kafka/fates.h"
#include "engine/workloads/kafka/version_order.h"

namespace elapid::kafka {

struct LogCycles {
  /// ...-cycle-exists and cycles, as of find_cycles(); a step's operations are not told.
  std::vector<Anomaly> anomalies;
  bool is_partial = false;  ///< the search was stopped
};

/// O(n log n) in messages and events, but for the search within components.
[[nodiscard]] LogCycles find_log_cycles(const Messages& messages, const Fates& fates,
                                        const VersionOrders& orders, bool with_ww,
                                        const std::function<bool()>& keep_going);

}  // namespace elapid::kafka
