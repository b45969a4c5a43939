// Queues, bags, stacks and priority queues: single operations add a value to one of them, or remove
// one.
//
//   {:type :ok, :f :enqueue, :value 1}   {:type :ok, :f :dequeue, :value 1}
//   {:type :ok, :f :dequeue, :value :empty}
//
// Adds are :enqueue, :add, :push, :insert or :offer; removes are :dequeue, :remove, :pop, :poll or
// :take. A remove that is :ok with :empty found nothing, and with nil likewise, unless nil is added
// somewhere. One that failed tells nothing.
//
// - fifo-queue: a remove takes the value that was added first;
// - unordered-queue: any value;
// - stack: the value that was added last;
// - priority-queue: the greatest integer.
//
// Each is judged for linearizability: engine/linearize/types. A history of :enqueue and :dequeue
// alone does not tell whether the queue keeps the order, so the user says it.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow fifo_queue_row();
[[nodiscard]] WorkloadRow unordered_queue_row();
[[nodiscard]] WorkloadRow stack_row();
[[nodiscard]] WorkloadRow priority_queue_row();

}  // namespace elapid
