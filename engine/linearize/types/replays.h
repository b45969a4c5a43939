// Plain objects of each type, for verify_order.h. They share no code with models and engines.
//
//   fifo_queue_replay(): apply(enqueue 1), apply(dequeue 1) are true, apply(dequeue 1) is false
//
// Each operation takes constant or logarithmic time, except for whole reads of sets.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/ir/value_pool.h"
#include "engine/linearize/types/grow_only_set.h"
#include "engine/linearize/types/lock.h"
#include "engine/linearize/types/priority_queue.h"
#include "engine/linearize/types/verify_order.h"

namespace elapid::linearize {

[[nodiscard]] std::unique_ptr<Replay> fifo_queue_replay();
/// Also accepts an order if it becomes valid after removes without a return are moved later.
[[nodiscard]] std::unique_ptr<Replay> unordered_queue_replay();
[[nodiscard]] std::unique_ptr<Replay> stack_replay();
[[nodiscard]] std::unique_ptr<Replay> priority_queue_replay(GoesFirst first, const ValuePool& pool);
[[nodiscard]] std::unique_ptr<Replay> grow_only_set_replay(const WholeReads& reads);
[[nodiscard]] std::unique_ptr<Replay> lock_replay(const LockRules& rules, const ValuePool& pool);
[[nodiscard]] std::unique_ptr<Replay> counter_replay(const ValuePool& pool);
[[nodiscard]] std::unique_ptr<Replay> fetch_and_add_replay(const ValuePool& pool);
[[nodiscard]] std::unique_ptr<Replay> unique_ids_replay();
[[nodiscard]] std::unique_ptr<Replay> add_remove_set_replay();
[[nodiscard]] std::unique_ptr<Replay> kv_replay(ValueId initial, const ValuePool& pool);

}  // namespace elapid::linearize
