// Last in, first out: a pop takes the last pushed value.
//
//   push 1 |--|
//   push 2      |--|
//   pop 1            |--|      not linearizable: 2 is above 1
//   pop 2                 |--|
//
// Distinct values are decided in near-linear time. A value is on the stack from an instant of its
// push to an instant of its pop. These stretches must be nested or disjoint. A value is surely
// there from the return of its push to the invocation of its pop: its core. A value without a core
// is pushed and popped at once, and constrains no other value. Two facts decide the rest.
//
// (1) The stack may be empty at each gap between instants that no core covers. Proof: take the
// values that are there in some order. Those whose push may be later are pushed right after the
// gap, in the order in which they lie; the others, whose pop may be earlier, are popped right
// before the gap. All stretches shrink, and stay nested or disjoint.
//
// (2) If cores cover a run of gaps, one value is pushed first and popped last: if two values lay in
// no other one, a core would cover the gap between them. The push is invoked before the first
// return of a push of the run, and the pop returns after the last invocation of a pop. Any value
// with both properties will do: put it around the others. Their pushes and pops can be moved
// inside, since none of them returns before that push is invoked.
//
// So runs are divided: a value is found and removed, until the rest falls into smaller runs. If
// none is found, the history is not linearizable. A pop that found nothing needs a gap that no core
// covers. Both facts are the recursion of Lee and Mathur, arXiv 2410.04581; the proofs are this
// file's own. Trees find the gap and the value in O(log n): O(n log n) in all.
//
// Pops that never returned: it is right without them, or wrong if they pop any number of values, or
// right if they pop values that stay before those surely below them are popped, or swept. Equal
// values: model_sweep.h.
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/container.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// The operations are those of container.h.
[[nodiscard]] Judgement judge_stack(const Operations& operations,
                                    std::uint64_t work = kDefaultWork);

/// States: the values, last in last.
class StackModel : public Model {
 public:
  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  [[nodiscard]] bool is_read(const Operation& op) const override { return is_empty_remove(op); }
};

}  // namespace elapid::linearize
