// First in, first out: a dequeue takes the value that was enqueued first.
//
//   enqueue 1 |--|
//   enqueue 2      |--|
//   dequeue 2            |--|      not linearizable: 1 comes before 2 and was not dequeued before
//
// Each value distinct: near-linear, by an order of the values. Let a come before b where
//   (1) the enqueue of a returns before that of b is invoked, or
//   (2) the dequeue of a returns before that of b is invoked, a value that stays being dequeued
//       never, or
//   (3) a dequeue that found nothing happens after a was surely enqueued, and before the dequeue of
//       b was invoked. It happens at an instant where no value is surely inside.
// The history is linearizable iff there is such an instant for each dequeue that found nothing, and
// values can be taken one after another such that none before is left. Then each enqueue and each
// dequeue happens as soon as its invocation and those before it allow.
//
// Proof that this is enough: if the enqueue of b would happen after its return, then one before it
// in the order is invoked after that return, against (1); dequeues likewise; and a dequeue that
// found nothing separates the values before it, both enqueued and dequeued, from those after it,
// neither, by (3).
// Proof that it is needed: if no value can be taken next, let m be that whose enqueue returns
// first, and w that whose dequeue returns first, of those that are left. Neither can be taken, so
// the enqueue of m returns before that of w is invoked, and the dequeue of w before that of m is.
// No order of a queue has that. These are the patterns of Henzinger, Sezgin and Vafeiadis, CONCUR
// 2013, and of Bouajjani, Emmi, Enea and Hamza, ICALP 2015; the order is this file's own.
//
// A dequeue that never returned may take one value that stays. A value needs that where a value
// after it was dequeued, by the first such return. Dequeues in the order of invocations are given
// to values in the order of these deadlines; an exchange shows that this finds what there is. Where
// there are also dequeues that found nothing, bounds decide: it is right without help, or wrong
// with each such dequeue taking any number of values, or right with one choice of instants. What is
// left is swept.
//
// Equal values, or what is left: model_sweep.h. Cost: O(n log n).
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/container.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// The operations are those of container.h.
[[nodiscard]] Judgement judge_fifo_queue(const Operations& operations,
                                         std::uint64_t work = kDefaultWork);

/// States: the values, first in first.
class FifoQueueModel : public Model {
 public:
  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  [[nodiscard]] bool is_read(const Operation& op) const override { return is_empty_remove(op); }
};

}  // namespace elapid::linearize
