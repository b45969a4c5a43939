// Repairs a drafted order of a history with times after a run that failed: snapshots go where they
// fit, and what fits nowhere is held where least differs.
//
// Most commits stand right from the beginning, since databases answer soon after they commit. So
// the order changes little from run to run, and edges that were supposed are forgotten after some.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/nearest_moment.h"
#include "engine/replay/order_draft.h"
#include "engine/replay/order_trial.h"

namespace elapid::replay {

class MomentRepair {
 public:
  /// Refers to both. The edges that the draft has are known.
  MomentRepair(const History& history, OrderDraft& draft);

  /// After a run of the draft; false if nothing can be done. O(events log events + for each
  /// transaction that failed, what NearestMoment takes).
  [[nodiscard]] bool repair(const OrderTrial& trial);

  /// Takes back all that was supposed.
  void forget();

 private:
  [[nodiscard]] bool hold(const std::vector<Moment>& moments);

  const History& history_;
  OrderDraft& draft_;
  std::size_t known_edges_;                                         // of the draft: the first ones
  std::vector<std::pair<OrderDraft::Edge, std::size_t>> supposed_;  // since which run
  std::size_t runs_ = 0;
};

}  // namespace elapid::replay
