// A draft of an order of events: a graph of known and supposed edges, and an order that agrees with
// it and departs little from a first one.
//
// Where the history has times, events first stand as they completed: so do the commits of nearly
// all databases. An edge against that order pulls its source forward, and what must come before it.
// What only reads changes nothing for others, so it waits for what must come before it instead.
// Without times, each event comes as early as the edges let it, and nothing else is known of where
// it stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/graph/adjacency.h"
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
  /// transaction say is known; real time is no edge.
  OrderDraft(const History& history, OrderLevel level, const std::vector<bool>& takes_part);

  [[nodiscard]] bool has_two_events() const { return has_two_events_; }

  [[nodiscard]] bool has_times() const { return has_times_; }

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

  /// The edges added behind the first so many are taken away.
  void keep_first(std::size_t edges) { edges_.resize(edges); }

  /// Whether nothing changes for others where the event stands: it is a start, or its transaction
  /// writes nothing. Without times none is, since sort() could not keep it where it stands.
  [[nodiscard]] bool is_snapshot(Vertex vertex) const { return is_snapshot_[vertex]; }

  /// From the next sort() on a snapshot stands in front of the event that is at this position now,
  /// or at the end.
  void place(Vertex snapshot, std::uint32_t position) {
    rank_[snapshot] = 2 * std::uint64_t{position};
  }

  /// The positions between which an event may stand, given where its neighbours in the graph do: in
  /// front of the event at one of [first, second]. Linear in its edges.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> room(Vertex vertex) const;

  /// An order with the edges, near the last one; false if there is a cycle, and then the order
  /// stays what it was. O(edges + events log events).
  [[nodiscard]] bool sort();

  /// All vertices; those that take no part as well.
  [[nodiscard]] std::span<const Vertex> order() const { return order_; }

  [[nodiscard]] std::uint32_t position(Vertex vertex) const { return position_[vertex]; }

 private:
  void add_sessions(const History& history, const std::vector<bool>& takes_part);
  void rank(const History& history);
  [[nodiscard]] std::vector<Vertex> sorted_by_layers() const;
  [[nodiscard]] std::vector<Vertex> sorted_by_rank() const;

  bool has_two_events_;
  bool has_times_;
  Vertex vertex_count_;
  std::vector<bool> is_snapshot_;
  std::vector<Edge> edges_;
  std::vector<std::uint64_t> rank_;  // where each is to stand: twice its position, and 1
  Adjacency before_;                 // of the last sort()
  Adjacency behind_;
  std::vector<Vertex> order_;
  std::vector<std::uint32_t> position_;
};

}  // namespace elapid::replay
