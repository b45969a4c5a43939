// A topological order of an acyclic graph that changes: edges are added one by one, and the last
// one can be removed again.
//
// Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs" (JEA 11,
// 2006): an edge against the order moves only the vertices between its ends that are connected to
// them. Example: the order is 0 1 2 3, with the edge 2 -> 3. The new edge 3 -> 0 moves 2, 3 and
// 0 among the places that they had: 2 1 3 0. Vertex 1 is connected to neither end and stays.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/graph/adjacency.h"

namespace elapid {

class IncrementalOrder {
 public:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  /// `edges` are permanent; `order` is a topological order of them.
  IncrementalOrder(std::uint32_t vertex_count, std::vector<Edge> edges,
                   std::span<const std::uint32_t> order);

  /// Adds an edge, with the next number. If it would close a cycle: false, and nothing changes.
  [[nodiscard]] bool insert(std::uint32_t from, std::uint32_t to);

  /// Whether a path leads from `from` to `to`, or they are equal. Searches from both ends, and only
  /// between them in the order.
  [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to);

  /// The vertices that `from` reaches, itself first, by number of edges; at most `most`.
  [[nodiscard]] std::vector<std::uint32_t> some_after(std::uint32_t from, std::size_t most);

  /// Removes the edge that was inserted last.
  void remove_last();

  [[nodiscard]] std::uint32_t edge_count() const {
    return static_cast<std::uint32_t>(edges_.size());
  }

  [[nodiscard]] Edge edge(std::uint32_t number) const { return edges_[number]; }

  [[nodiscard]] std::uint32_t position(std::uint32_t vertex) const { return position_[vertex]; }

  /// The vertices in order.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }

  /// The edges of a path, by number, with the fewest for which `is_dear(edge)`. Requires a path.
  [[nodiscard]] std::vector<std::uint32_t> cheapest_path(
      std::uint32_t from, std::uint32_t to,
      const std::function<bool(std::uint32_t edge)>& is_dear) const;

  /// The number of edges looked at so far.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  template <class Visit>
  void each_edge_from(std::uint32_t vertex, Visit visit) const;
  [[nodiscard]] bool find_after(std::uint32_t from, std::uint32_t last);
  void find_before(std::uint32_t from, std::uint32_t first);
  template <class Visit>
  void each_edge_to(std::uint32_t vertex, Visit visit) const;
  void move();

  std::vector<Edge> edges_;
  Adjacency out_;  // numbers of permanent edges, by source
  Adjacency in_;
  std::vector<std::vector<std::uint32_t>> added_out_;
  std::vector<std::vector<std::uint32_t>> added_in_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> position_;
  std::vector<bool> is_marked_;
  std::vector<bool> is_marked_before_;  // while looking from both ends
  std::vector<std::uint32_t> after_;    // found by the last insertion
  std::vector<std::uint32_t> before_;
  mutable std::uint64_t work_ = 0;
};

}  // namespace elapid
