// Finds an order of events for large histories whose real time does not give it. It drafts an
// order, carries it out, and repairs it where it fails.
//
// If T read a value that only W wrote, T comes after W. If X read the same value and overwrote it,
// T comes before X. The draft puts every event as early as these edges allow, or in the order of
// completions if there are times. The whole draft is carried out. If T then has another result on a
// row, the other versions of the row in this run show the reason.
//
// Example: T did not find row 7, which W inserted before T's turn, and no later version agrees with
// T. So T comes before W: a known edge. If there are several explanations, the nearest one without
// a contradiction is supposed. The next draft uses these edges. The repair ends with a run without
// failures, or with a contradiction. With times, moment_repair.h makes the repairs.
//
// The repair may miss an order. Near linear if few runs are needed. Each run takes O(operations +
// the rows that they match).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/graph/incremental_order.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/replay/moment_repair.h"
#include "engine/replay/needs.h"
#include "engine/replay/order_draft.h"
#include "engine/replay/order_search.h"
#include "engine/replay/order_trial.h"
#include "engine/replay/table_state.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::replay {

class OrderRepair {
 public:
  /// Refers to the history. Visibility kSerial or kSnapshot, without real time.
  OrderRepair(const History& history, OrderLevel level, RowContents beginning = {});
  OrderRepair(const OrderRepair&) = delete;
  OrderRepair& operator=(const OrderRepair&) = delete;

  /// Whether it finds order(). Takes its work from the budget.
  [[nodiscard]] bool run(ReplayBudget& budget);

  [[nodiscard]] const std::vector<OrderEvent>& order() const { return order_; }

  /// After a failed run: the tried order with the fewest failures.
  [[nodiscard]] const std::vector<OrderEvent>& nearest() const { return nearest_; }

  /// The number of failures of nearest().
  [[nodiscard]] std::size_t failures() const { return failures_; }

  /// After a failed run: whether the known edges contradict each other. Then an order is unlikely.
  [[nodiscard]] bool is_contradictory() const { return is_contradictory_; }

 private:
  /// An edge that removes a failure.
  struct Remedy {
    OrderDraft::Edge edge;
    std::optional<OrderDraft::Edge> otherwise = {};  ///< another edge that does
    bool is_only = false;                            ///< no other edge does
  };

  [[nodiscard]] static std::vector<bool> those_needed(const History& history, const Needs& needs);
  void add_what_is_shown();
  [[nodiscard]] bool sort();
  [[nodiscard]] std::vector<OrderEvent> events() const;
  [[nodiscard]] bool repair(const OrderTrial& trial);
  [[nodiscard]] std::optional<Remedy> remedy(const OrderTrial& trial, const Misfit& misfit) const;
  [[nodiscard]] Remedy remedy(const Overlap& overlap) const;
  [[nodiscard]] bool choose(const std::vector<Remedy>& remedies);

  const History& history_;
  RowContents beginning_;
  Needs needs_;
  std::vector<bool> takes_part_;
  OrderDraft draft_;
  std::optional<MomentRepair> moments_;
  bool has_supposed_ = false;
  bool is_contradictory_ = false;
  std::vector<OrderEvent> order_;
  std::vector<OrderEvent> nearest_;
  std::size_t failures_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace elapid::replay
