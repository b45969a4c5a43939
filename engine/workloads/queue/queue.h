// total-queue and queue: single operations :enqueue a value, :dequeue one, or :drain what is left.
//
//   {:type :ok, :f :enqueue, :value 1}   {:type :ok, :f :drain, :value [1]}
//
// A history that drains its queue is a total-queue (total_queue.h): a :drain, or a last dequeue
// that found nothing. Another is a queue (plain_queue.h). Both are what Jepsen's tests claim of
// queues; whether a queue is linearizable is asked by `-m fifo-queue` and its like (containers).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow total_queue_row();
[[nodiscard]] WorkloadRow queue_row();

}  // namespace elapid
