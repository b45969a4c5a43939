// Repairs the drafted order of a history with times after a failed run. A snapshot moves to a
// moment where it fits. If it fits nowhere, it moves to the moment with the fewest differences.
//
// Databases answer soon after they commit, so most commits have the right place from the start.
// The order changes little from run to run. A supposed edge is dropped after some runs.
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
  /// Refers to both. The draft's present edges are known.
  MomentRepair(const History& history, OrderDraft& draft);

  /// Repairs the draft after a run; false if nothing can be changed. O(events log events), and
  /// NearestMoment::find() for each failed transaction.
  [[nodiscard]] bool repair(const OrderTrial& trial);

  /// Drops all supposed edges.
  void forget();

 private:
  [[nodiscard]] bool hold(const std::vector<Moment>& moments);

  const History& history_;
  OrderDraft& draft_;
  std::size_t known_edges_;                                         // the draft's first edges
  std::vector<std::pair<OrderDraft::Edge, std::size_t>> supposed_;  // with the run that added it
  std::size_t runs_ = 0;
};

}  // namespace elapid::replay
