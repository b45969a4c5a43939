// Fetch-and-add on a number that starts at 0: each operation adds and shows the sum before it.
// Unique ids: each operation shows an id that no other shows.
//
//   fetch-and-add 1 -> 0, fetch-and-add 1 -> 2      not linearizable: no operation shows 1
//
// All deltas equal to d, not 0: the result k d says that k operations come before. So results give
// the order. Operations that never returned fill what is missing, those invoked first at first:
// that lets the others return earliest. Then the order must keep to real time. O(n log n).
// Deltas that differ, of one sign and none 0: the sum never comes back, so that results give the
// order of the operations that returned. What those that never returned must have added before each
// are sums that only grow, which growing_counter.h explains. Other deltas, and histories in which
// an operation returned without a result, are swept (model_sweep.h).
//
// Ids: all must differ; nothing else matters. O(n).
#pragma once

#include <cstdint>

#include "engine/ir/value_pool.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// Operations have their deltas as arguments and sums as results, integers of the pool.
[[nodiscard]] Judgement judge_fetch_and_add(const Operations& operations, const ValuePool& pool,
                                            std::uint64_t work = kDefaultWork);

/// Operations have their ids as results.
[[nodiscard]] Judgement judge_unique_ids(const Operations& operations);

/// States: the ids given, sorted.
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
