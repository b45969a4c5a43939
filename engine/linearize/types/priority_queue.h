// A priority queue: a remove takes the first value inside, by priority.
//
//   insert 5 |--|
//   insert 9 |--|
//   poll 5        |--|       not linearizable where the greatest goes first: 9 is inside
//   poll 9              |--|
//
// Distinct values are decided in near-linear time, value by value, in order of priority. A remove
// takes effect in the first gap between instants of its interval in which no value of higher
// priority is surely inside. If there is none, the history is not linearizable. A value is surely
// inside from the return of its add to the invocation of its remove. From there to its gap, values
// of higher priority are inside. So the whole stretch is forbidden to values of lower priority.
// Removes that found nothing come last: all values have priority over them.
//
// Proof of sufficiency: each remove happens in its gap, and each add as late as it may, but before
// its remove. During a gap of a value of lower priority, a value is inside only between its add's
// return and its own gap, and these gaps are forbidden to the other value. Proof of necessity: a
// value of higher priority that is surely inside excludes the remove. Lee and Mathur, arXiv
// 2410.04581, also decide it in O(n log n); here union-find over gaps (Tarjan, J. ACM 22(2), 1975)
// replaces a tree.
//
// Removes that never returned: the history is right if it is right without them; wrong if it is
// wrong when they remove any number of values; right if they can remove staying values by the
// first, or by the last, gap that another value of lower priority would have without those; else
// swept. Equal values: model_sweep.h. Cost: O(n log n) to sort, else nearly linear.
#pragma once

#include <cstdint>

#include "engine/ir/value_pool.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/container.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"
#include "engine/linearize/types/ranks.h"

namespace elapid::linearize {

enum class GoesFirst : std::uint8_t { kGreatest, kLeast };

/// The operations are those of container.h. Their values are integers of the pool.
[[nodiscard]] Judgement judge_priority_queue(const Operations& operations, GoesFirst first,
                                             const ValuePool& pool,
                                             std::uint64_t work = kDefaultWork);

/// States: ranks of the values; the first value by priority is last.
class PriorityQueueModel : public Model {
 public:
  PriorityQueueModel(const Operations& operations, GoesFirst first, const ValuePool& pool);

  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  [[nodiscard]] bool is_read(const Operation& op) const override { return is_empty_remove(op); }

  /// A greater rank goes first.
  [[nodiscard]] std::uint32_t rank_of(ValueId value) const;

 private:
  GoesFirst first_;
  Ranks ranks_;
};

}  // namespace elapid::linearize
