// A draft of an order of events: a graph of known and supposed edges, and an order that agrees with
// them. The order changes little from draft to draft.
//
// If the history has times, commits first stand in the order of their completions, since nearly all
// databases commit so. An edge against that order moves its source forward, with all events that
// must precede the source. A read-only transaction changes nothing for others, so it waits for its
// predecessors instead. Without times, each event comes as early as the edges allow.
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

/// Events are vertices: one for each transaction at the serializable levels, else two.
class OrderDraft {
 public:
  using Vertex = std::uint32_t;
  using Edge = std::pair<Vertex, Vertex>;

  /// `takes_part`: by TxnId. The first edges are those of the initial transaction, and of sessions
  /// if the level has them. Real time gives no edges.
  OrderDraft(const History& history, OrderLevel level, const std::vector<bool>& takes_part);

  [[nodiscard]] bool has_two_events() const { return has_two_events_; }

  [[nodiscard]] bool has_times() const { return has_times_; }

  /// The event at which the transaction reads; commit(): at which its writes take effect.
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

  /// Adds an edge between two different events that take part. The next sort() uses it.
  void add(Vertex from, Vertex to) { edges_.emplace_back(from, to); }

  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

  /// Removes all but the first `edges` edges.
  void keep_first(std::size_t edges) { edges_.resize(edges); }

  /// Whether the event's position changes nothing for others: it is a start, or its transaction
  /// writes nothing. Always false without times, since sort() does not keep positions then.
  [[nodiscard]] bool is_snapshot(Vertex vertex) const { return is_snapshot_[vertex]; }

  /// The next sort() puts the snapshot before the event that is at this position now, or at the
  /// end.
  void place(Vertex snapshot, std::uint32_t position) {
    rank_[snapshot] = 2 * std::uint64_t{position};
  }

  /// The positions that the event's neighbours in the graph leave it: before the event at one of
  /// [first, second]. Linear in its edges.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> room(Vertex vertex) const;

  /// Makes a new order that agrees with the edges, near the last one. False, and no change, if
  /// there is a cycle. O(edges + events log events).
  [[nodiscard]] bool sort();

  /// All vertices, also those that take no part.
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
  std::vector<std::uint64_t> rank_;  // the wanted place: 2 position + 1; place() uses 2 position
  Adjacency before_;                 // of the last sort()
  Adjacency behind_;
  std::vector<Vertex> order_;
  std::vector<std::uint32_t> position_;
};

}  // namespace elapid::replay
