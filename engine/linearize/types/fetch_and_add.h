// Fetch-and-add on a number that starts at 0: each operation adds and returns the sum before it.
// Unique ids: each operation returns an id that no other operation returns.
//
//   fetch-and-add 1 -> 0, fetch-and-add 1 -> 2      not linearizable: no operation shows 1
//
// Equal deltas d, not 0: the result k d means that k operations come before. So results give the
// order. Operations that never returned fill the gaps, in order of invocation: that lets the others
// return earliest. Then the order must agree with real time. O(n log n). Different deltas of one
// sign, none 0: the sum never comes back, so results give the order of the operations that
// returned. The differences that operations without a return must fill are sums that only grow,
// decided by growing_counter.h. Other deltas, and histories with an operation that returned without
// a result, are swept (model_sweep.h).
//
// Ids: all must differ; no other rule. O(n).
#pragma once

#include <cstdint>

#include "engine/ir/value_pool.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// Arguments are deltas, results are sums; both are integers of the pool.
[[nodiscard]] Judgement judge_fetch_and_add(const Operations& operations, const ValuePool& pool,
                                            std::uint64_t work = kDefaultWork);

/// Results are ids.
[[nodiscard]] Judgement judge_unique_ids(const Operations& operations);

/// States: the ids returned so far, sorted.
class UniqueIdsModel : public Model {
 public:
  void step(const State& state, const Operation& op, std::vector<State>& next) const override;
};

/// States: the sum modulo 2^64, low half first.
class FetchAndAddModel : public Model {
 public:
  explicit FetchAndAddModel(const ValuePool& pool) : pool_(pool) {}

  [[nodiscard]] State initial() const override { return {0, 0}; }

  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

 private:
  const ValuePool& pool_;
};

}  // namespace elapid::linearize
