// Errors of single messages: duplicate, inconsistent-offsets, G1a, precommitted-read, lost-write,
// never-sent.
//
//   a message 2 was acknowledged at offset 5, and polls show offsets 3, 4, 6: it is lost
#pragma once

#include "engine/workloads/kafka/fates.h"
#include "engine/workloads/kafka/log_error.h"
#include "engine/workloads/kafka/version_order.h"

namespace elapid::kafka {

/// A value at two or more offsets; two values at one. Linear in the slots.
void find_placement_errors(const Messages& messages, const VersionOrders& orders,
                           LogErrors& errors);

/// Polls of messages that were not committed. Linear.
void find_read_errors(const Messages& messages, const Fates& fates, LogErrors& errors);

/// A message is lost if an operation that must have committed sent it, none that succeeded polled
/// it, and something was polled from its last offset on. What was polled counts from its first
/// offset. Linear.
void find_lost_writes(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                      LogErrors& errors);

}  // namespace elapid::kafka
