// A draft of an order of events: a graph of known and supposed edges, and an order that agrees with
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::replay {

/// Events are vertices: one a transaction at the serializable levels, else two. Borrows the
/// history.
class OrderDraft {
 public:
  using Vertex = std::uint32_t;
  using Edge = std::pair<Vertex, Vertex>;

  /// Of the transactions marked, by TxnId. What sessions, if the level has them, and an initial
  /// transaction say is known; real time is not looked at.
  OrderDraft(const History& history, OrderLevel level, const std::vector<bool>& takes_part);

  [[nodiscard]] bool has_two_events() const { return has_two_events_; }

  /// Where a transaction reads, and where its writes take effect.
  [[nodiscard]] Vertex start(TxnId txn) const {
    return has_two_events_ ? 2 * txn.value : txn.value;
  }

  [[nodiscard]] Vertex commit(TxnId txn) const {
    return has_two_events_ ? 2 * txn.value + 1 : txn.value;
  }

  [[nodiscard]] OrderEvent event(Vertex vertex) const {
    return has_two_events_ ? OrderEvent{{vertex / 2}, vertex % 2 == 1} : OrderEvent{{vertex}, true};
  }

  [[nodiscard]] Vertex vertex_count() const { return vertex_count_; }

  /// Of different events, both of which take part. It counts from the next sort() on.
  void add(Vertex from, Vertex to) { edges_.emplace_back(from, to); }

  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

  /// Puts each event as early as the edges let it come, of those as early the first transaction
  /// first; false if there is a cycle, and then the order stays what it was. Linear in events and
  /// edges.
  [[nodiscard]] bool sort();

  /// All vertices; those that take no part as well.
  [[nodiscard]] std::span<const Vertex> order() const { return order_; }

  [[nodiscard]] std::uint32_t position(Vertex vertex) const { return position_[vertex]; }

 private:
  void add_sessions(const History& history, const std::vector<bool>& takes_part);

  bool has_two_events_;
  Vertex vertex_count_;
  std::vector<Edge> edges_;
  std::vector<Vertex> order_;
  std::vector<std::uint32_t> position_;
};

}  // namespace elapid::replay
