// The known order of events during the check of a proof about rows: sessions, real time, an initial
// transaction, and the clauses proved so far.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::certify {

/// Borrows the history.
class RowsOrder {
 public:
  RowsOrder(const History& history, OrderLevel level) : history_(history), level_(level) {}

  /// Notes that `a` was proved to come before `b`.
  void add(OrderEvent a, OrderEvent b);

  /// Whether `a` is known to come before `b`, over any number of steps. The first call after add()
  /// costs O(additions squared).
  [[nodiscard]] bool precedes(OrderEvent a, OrderEvent b) const;

 private:
  using Code = std::pair<std::uint32_t, bool>;

  static Code code(OrderEvent event) { return {event.txn.value, event.is_commit}; }

  /// By a transaction's own events, by sessions, by real time, or by the initial transaction.
  [[nodiscard]] bool is_given(OrderEvent a, OrderEvent b) const;

  /// The ends of added orders that `from` leads to.
  [[nodiscard]] const std::vector<OrderEvent>& reached(OrderEvent from) const;

  const History& history_;
  OrderLevel level_;
  std::map<Code, std::vector<OrderEvent>> proved_;
  mutable std::map<Code, std::vector<OrderEvent>> reached_;  // since the last addition
};

}  // namespace elapid::certify
