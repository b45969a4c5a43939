// Finds an order of events for large histories where real time does not say it: drafts an order
// from what is known, carries it out, and repairs it where it fails.
//
// If a transaction was shown a value that only one other wrote, it came after that writer, and
// before one that read the same value and overwrote it. The draft lets every event come as early as
// that allows, or as it completed if there are times. Then it is carried out as a whole. If the
// result of a transaction T on a row differs, the other versions of the row in this run tell the
// reason. Example: T was not shown row 7, which W inserted before T's turn, and after that the row
// never was as T found it. So T came before W: that is known now. If there are several
// explanations, the nearest one that contradicts nothing is supposed. The next draft follows from
// all that, until a run has no failures or there is a contradiction. With times, moment_repair.h
// does this.
//
// It finds orders only: if it finds none, there may be one. Near linear as long as few runs are
// needed. Each run takes O(operations and their matches).
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

  /// Whether it found order(). Takes what it does from the budget's work.
  [[nodiscard]] bool run(ReplayBudget& budget);

  [[nodiscard]] const std::vector<OrderEvent>& order() const { return order_; }

  /// After it did not: the order with the fewest failures, and how many there were.
  [[nodiscard]] const std::vector<OrderEvent>& nearest() const { return nearest_; }

  [[nodiscard]] std::size_t failures() const { return failures_; }

  /// After it did not: whether what is known contradicts itself, so that there hardly is an order.
  [[nodiscard]] bool is_contradictory() const { return is_contradictory_; }

 private:
  /// That one event comes before another; or else the other way out.
  struct Remedy {
    OrderDraft::Edge edge;
    std::optional<OrderDraft::Edge> otherwise = {};
    bool is_only = false;  ///< nothing else helps
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
