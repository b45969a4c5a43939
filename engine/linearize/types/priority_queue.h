// A priority queue: a remove takes the value that goes before all others inside.
//
//   insert 5 |--|
//   insert 9 |--|
//   poll 5        |--|       not linearizable where the greatest goes first: 9 is inside
//   poll 9              |--|
//
// Each value distinct: near-linear, value by value, that which goes before all others first. A
// remove takes effect in a gap between instants in which no value that goes before is surely
// inside: in the first such gap of its interval. If there is none, the history is not linearizable.
// A value is surely inside from the return of its add to the invocation of its remove; from there
// to its gap values that go before it are, so that all of that is forbidden to the values after it.
// Removes that found nothing come last: all values go before.
//
// Proof that this is enough: let each remove happen in its gap, and each add as late as it may, but
// before its remove. A value is inside during a gap of a value after it only between its add's
// return and its own gap, and those gaps are forbidden to the other. That it is needed: a value
// that goes before and is surely inside excludes the remove. Lee and Mathur decide it
// in O(n log n), too, arXiv 2410.04581; here union-find over gaps (Tarjan, J. ACM 22(2), 1975)
// serves in place of a tree.
//
// Removes that never returned: it is right without them, or wrong if they remove any number of
// values, or right if they remove values that stay by the first gap that another value, after them,
// would have without those, or by the last, or swept. Equal values: model_sweep.h. Cost: O(n log n)
// to sort, else nearly linear.
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

/// The operations are those of container.h; their values are integers of the pool.
[[nodiscard]] Judgement judge_priority_queue(const Operations& operations, GoesFirst first,
                                             const ValuePool& pool,
                                             std::uint64_t work = kDefaultWork);

/// States: ranks of the values, that which goes first last.
class PriorityQueueModel : public Model {
 public:
  PriorityQueueModel(const Operations& operations, GoesFirst first, const ValuePool& pool);

  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  [[nodiscard]] bool is_read(const Operation& op) const override { return is_empty_remove(op); }

  /// Greater ones go first.
  [[nodiscard]] std::uint32_t rank_of(ValueId value) const;

 private:
  GoesFirst first_;
  Ranks ranks_;
};

}  // namespace elapid::linearize
