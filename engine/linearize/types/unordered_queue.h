// A bag: a dequeue takes any value that is inside.
//
//   enqueue 1 |--|
//   dequeue :empty   |--|        not linearizable: 1 is inside
//   dequeue 1              |--|
//
// Distinct values are independent of one another. A dequeue of a value happens as soon as it may. A
// dequeue that found nothing needs a gap in which no value is surely inside; then each value comes
// and goes before the gap or after it. Its enqueue happens as late as that requires. Proof: let g
// be the last of these gaps before the dequeue of a value. The enqueue is put after g. If its
// return were before g, the value would be surely inside at g, which was excluded.
//
// Dequeues that never returned: before a gap, as many of them must be invoked as there are values
// that stay and were surely enqueued. That is the only condition for each gap, since the earlier
// ones of both are matched first (Hall 1935, nested sets). So all these gaps are equally good.
//
// Equal values: model_sweep.h. Cost: O(n log n). The proof is this file's own.
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/container.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// The operations are those of container.h.
[[nodiscard]] Judgement judge_unordered_queue(const Operations& operations,
                                              std::uint64_t work = kDefaultWork);

/// States: the values, sorted.
class UnorderedQueueModel : public Model {
 public:
  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  [[nodiscard]] bool is_read(const Operation& op) const override { return is_empty_remove(op); }
};

}  // namespace elapid::linearize
