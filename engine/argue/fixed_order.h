// The order by sessions, real time and an initial transaction, without regard to operations.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::argue {

/// Vertices are events: one for each transaction at the serializable levels, else two. Further
/// vertices stand for moments in real time. Borrows the history.
class FixedOrder {
 public:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  FixedOrder(const History& history, OrderLevel level);

  [[nodiscard]] std::uint32_t vertex(OrderEvent event) const {
    return has_two_events_ ? 2 * event.txn.value + (event.is_commit ? 1 : 0) : event.txn.value;
  }

  [[nodiscard]] OrderEvent event(std::uint32_t vertex) const {
    return has_two_events_ ? OrderEvent{{vertex / 2}, vertex % 2 == 1} : OrderEvent{{vertex}, true};
  }

  /// The event at which a transaction reads, and the event at which its writes take effect.
  [[nodiscard]] OrderEvent start(TxnId txn) const { return {txn, !has_two_events_}; }

  [[nodiscard]] OrderEvent commit(TxnId txn) const { return {txn, true}; }

  [[nodiscard]] bool is_event(std::uint32_t vertex) const { return vertex < event_count_; }

  [[nodiscard]] std::uint32_t vertex_count() const { return vertex_count_; }

  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

  /// A topological order of all vertices, close to `near`; if `near` is empty, close to the order
  /// of the history.
  [[nodiscard]] std::vector<std::uint32_t> order(std::span<const OrderEvent> near = {}) const;

  /// Whether, in every order, `a` commits before `b` starts.
  [[nodiscard]] bool precedes(TxnId a, TxnId b) const;

  /// The same for events, also of one transaction.
  [[nodiscard]] bool precedes(OrderEvent a, OrderEvent b) const {
    return a.txn == b.txn ? !a.is_commit && b.is_commit : precedes(a.txn, b.txn);
  }

 private:
  void add_timeline(const std::vector<TxnId>& txns);

  const History& history_;
  OrderLevel level_;
  bool has_two_events_;
  bool has_real_time_;
  TxnId initial_ = TxnId::none();
  std::uint32_t event_count_;
  std::uint32_t vertex_count_;
  std::vector<Edge> edges_;
};

}  // namespace elapid::argue
