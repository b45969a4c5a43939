// A counter that starts at 0: adds, and reads of the sum.
//
//   add 1 |--|
//   add 1 |--------|
//   read 0      |--|       not linearizable: the first add comes before
//
// All deltas equal to d: a read of k d comes after k adds and before the next one. Let the k-th add
// happen at T(k). Then T(k) is later than the invocation of each read of less than k, and earlier
// than the return of each read of k or more. Both bounds grow with k. So adds are given to k = 1,
// 2,
// ... in turn: of those invoked before the upper bound that which returns first. It must return
// after the lower bound. Proof: the k that an add can be given to are neighbours, and for such
// graphs the earliest deadline first finds a matching where there is one (Glover, Naval Research
// Logistics Quarterly 14(3), 1967). Adds beyond the greatest read come after all reads. Adds that
// never returned have no deadline, and are left out where they are not needed. O(n log n).
//
// Different deltas: a read is bounded by the sum of adds that returned before it was invoked, and
// the sum of adds invoked before it returned. The bounds are necessary (Jepsen's checker demands
// them), but not sufficient: which adds give a sum is a subset-sum problem. Then histories are
// swept (model_sweep.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/ir/value_pool.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// The operations are those of CounterF, without reads that never returned; deltas and sums are
/// integers of the pool.
[[nodiscard]] Judgement judge_counter(const Operations& operations, const ValuePool& pool,
                                      std::uint64_t work = kDefaultWork);

/// States: the sum, in words, lowest first.
class CounterModel : public Model {
 public:
  CounterModel(const Operations& operations, const ValuePool& pool);

  [[nodiscard]] State initial() const override { return State(words_, 0); }

  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  [[nodiscard]] bool is_read(const Operation& op) const override {
    return op.f == static_cast<std::uint8_t>(CounterF::kRead);
  }

  /// A sum that only grows never returns to a smaller one.
  [[nodiscard]] bool may_reach(const State& state, const Operation& read) const override;

 private:
  const ValuePool& pool_;
  std::size_t words_ = 2;
  bool only_grows_ = true;
  bool only_shrinks_ = true;
};

}  // namespace elapid::linearize
