// Errors in the order of polls and sends: skips, and steps back.
//
//   version order of x: a b c
//   process 0 polls x [a], and then x [c]   poll-skip, distance 2, b is skipped
//   process 1 polls x [b], and then x [b]   nonmonotonic-poll, distance 0
//
// Within an operation (int-...), successive messages of a key are compared. Between operations of a
// process, the last message of an operation is compared with the first of the next one on the key.
#pragma once

#include "engine/workloads/kafka/log_error.h"
#include "engine/workloads/kafka/version_order.h"

namespace elapid::kafka {

/// Within operations int-poll-skip, int-nonmonotonic-poll, int-send-skip and
/// int-nonmonotonic-send. For polls, keys that were rebalanced during the operation do not count.
/// Between operations poll-skip, nonmonotonic-poll and nonmonotonic-send. A process polls on from
/// its last successful poll, and sends after its last send, unless that failed. An :assign or
/// :subscribe that did not fail makes it forget the keys that it does not name. Linear.
void find_sequence_errors(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                          LogErrors& errors);

}  // namespace elapid::kafka
