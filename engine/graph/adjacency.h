// Successors of each vertex in compressed rows, from any list of edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace elapid {

/// Immutable, 4 bytes an edge and a vertex. Rows keep the order of the edges.
class Adjacency {
 public:
  Adjacency() = default;

  /// `endpoints(edge)` gives a pair (row, entry): (from, to) for successors, (to, from) for
  /// predecessors, (from, place of the edge) for edges. Linear.
  template <class Edges, class Endpoints>
  Adjacency(std::uint32_t vertex_count, const Edges& edges, Endpoints endpoints)
      : begin_(vertex_count + std::size_t{1}), entries_(std::size(edges)) {
    for (const auto& edge : edges) {
      ++begin_[endpoints(edge).first + std::size_t{1}];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    for (const auto& edge : edges) {  // begin_[row] runs to the row's end ...
      const auto [row, entry] = endpoints(edge);
      entries_[begin_[row]++] = entry;
    }
    for (std::size_t v = vertex_count; v > 0; --v) {  // ... which is where the next one begins
      begin_[v] = begin_[v - 1];
    }
    begin_[0] = 0;
  }

  [[nodiscard]] std::uint32_t vertex_count() const {
    return static_cast<std::uint32_t>(begin_.size() - 1);
  }

  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return std::span(entries_).subspan(begin_[vertex], begin_[vertex + 1] - begin_[vertex]);
  }

  /// Gives the entries of a row one by one, as strong_components() asks for them.
  bool next(std::uint32_t vertex, std::uint32_t& cursor, std::uint32_t& to) const {
    if (cursor == of(vertex).size()) {
      return false;
    }
    to = of(vertex)[cursor++];
    return true;
  }

 private:
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<std::uint32_t> entries_;
};

/// The places of `entries` (0, 1, ...) by `row_of(entry)`.
template <class Entries, class RowOf>
[[nodiscard]] Adjacency places_by_row(std::uint32_t row_count, const Entries& entries,
                                      RowOf row_of) {
  std::vector<std::uint32_t> places(std::size(entries));
  std::iota(places.begin(), places.end(), 0U);
  return {row_count, places,
          [&](std::uint32_t place) { return std::pair(row_of(entries[place]), place); }};
}

/// The vertices in an order in which edges lead forward. In a cyclic graph, vertices to which a
/// cycle leads are left out. Kahn's algorithm, in the order of discovery; linear.
[[nodiscard]] std::vector<std::uint32_t> topological_order(const Adjacency& successors);

/// A topological order of an acyclic graph, sorted by depth: the length of the longest path to a
/// vertex minus that of the longest path from it. `order` is any topological order.
/// O(edges + vertices log vertices).
[[nodiscard]] std::vector<std::uint32_t> order_by_depth(const Adjacency& successors,
                                                        std::vector<std::uint32_t> order);

}  // namespace elapid
