// Cycles of operations by message dependencies and real time.
//
//   T1 sends a and polls b    T2 sends b and polls a    G1c: each polled the other one's send
//
// Edges are wr, from the sender of a message to every operation that polled it; on request ww,
// between the senders of neighbours in the version order; and real time. There is no rw: a poll
// without some message proves nothing.
//
// After jepsen.tests.kafka (cycles!), which asks Elle for strict serializability. So each cycle
// with session order counts as one with real time.
#pragma once

#include <functional>
#include <vector>

#include "engine/infer/inference.h"
#include "engine/workloads/kafka/fates.h"
#include "engine/workloads/kafka/version_order.h"

namespace elapid::kafka {

struct LogCycles {
  /// As from find_cycles(): ...-cycle-exists and cycles. Steps do not name operations.
  std::vector<Anomaly> anomalies;
  bool is_partial = false;  ///< the search was stopped
};

/// Whether each operation can take effect at an instant between its events, after all that it
/// depends on. If so, there is no cycle. False also where this is not found in near linear time.
[[nodiscard]] bool has_instants(const Messages& messages, const Fates& fates,
                                const VersionOrders& orders, bool with_ww);

/// O(n log n) in messages and events, plus the search within components.
[[nodiscard]] LogCycles find_log_cycles(const Messages& messages, const Fates& fates,
                                        const VersionOrders& orders, bool with_ww,
                                        const std::function<bool()>& keep_going);

}  // namespace elapid::kafka
