// kafka: operations send messages to logs and poll them, as in Jepsen's tests of Kafka, Redpanda
// and Bufstream, and in Maelstrom's.
//
//   {:type :ok, :f :send, :value [[:send 1 [10 7]]]}
//   {:type :ok, :f :poll, :value [[:poll {1 [[10 7] [12 8]]}]]}
//   {:type :ok, :f :assign, :value [1 2]}
//
// The first sends message 7 of key 1, which got offset 10; the second polls it, and 8 at offset 12.
// Messages of a key differ. Consumers poll the keys to which they are assigned, or which they
// subscribe to. No isolation level is claimed. What can be wrong is told in log_error.h,
// unseen_messages.h and log_cycles.h; a history is valid if nothing is, but for what Kafka allows
// (is_allowed() in analysis.h).
//
// After jepsen.tests.kafka, whose result the verdict has.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n log n) in messages and events, but for the search for cycles among
/// operations that are on one.
[[nodiscard]] WorkloadRow kafka_row();

}  // namespace elapid
