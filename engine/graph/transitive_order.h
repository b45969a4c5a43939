// A transitive order of vertices, stored without its edges.
//
// Real time relates nearly every pair of transactions, so its edges cannot be listed. But the
// successors of a vertex are the vertices that begin after it ends. If the vertices are sorted by
// their beginnings, one place in the list determines all successors of a vertex:
//
//   a |---|                       members: a b c d, by beginning
//   b   |------|                  a ends before c begins: its successors are from place 2 on
//   c       |----|                b ends before d begins: from place 3 on
//   d               |--|          c likewise; d has none
//
// ```cpp
// TransitiveOrder order(kRealtimeEdge, 4);
// order.add_chain(std::vector<std::uint32_t>{0, 1, 2, 3});
// order.precede(0, 2);
// order.precede(1, 3);
// order.precede(2, 3);
// CHECK(order.precedes(0, 3));
// CHECK_FALSE(order.precedes(0, 1));
// ```
//
// A session's order is the same with one list a session: the members are in chains, and successors
// are always the rest of a chain. A breadth-first search that has been at a place of a chain never
// searches from there on again. So it costs one visit a member, not one an edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/edge_label.h"

namespace elapid {

class TransitiveOrder {
 public:
  /// No vertex precedes another yet.
  TransitiveOrder(EdgeLabel label, std::uint32_t vertex_count)
      : label_(label), rest_of_(vertex_count), places_(vertex_count, kNoPlace) {}

  /// Adds a chain; each vertex is in one chain at most. Returns the place of its first member.
  std::uint32_t add_chain(std::span<const std::uint32_t> chain) {
    const auto begin = static_cast<std::uint32_t>(members_.size());
    for (const std::uint32_t vertex : chain) {
      places_[vertex] = static_cast<std::uint32_t>(members_.size());
      members_.push_back(vertex);
    }
    chain_ends_.push_back(static_cast<std::uint32_t>(members_.size()));
    return begin;
  }

  /// From now on `vertex` precedes the members of the last chain added, from `place` on.
  void precede(std::uint32_t vertex, std::uint32_t place) {
    rest_of_[vertex] = {.begin = place,
                        .end = chain_ends_.back(),
                        .chain = static_cast<std::uint32_t>(chain_ends_.size() - 1)};
  }

  /// A part of `members()`, up to the end of a chain. Empty where begin == end.
  struct Rest {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t chain = 0;
  };

  [[nodiscard]] EdgeLabel label() const { return label_; }

  [[nodiscard]] std::span<const std::uint32_t> members() const { return members_; }

  [[nodiscard]] std::size_t chain_count() const { return chain_ends_.size(); }

  /// The places of the vertex's successors.
  [[nodiscard]] Rest successors(std::uint32_t vertex) const { return rest_of_[vertex]; }

  [[nodiscard]] bool precedes(std::uint32_t from, std::uint32_t to) const {
    return rest_of_[from].begin <= places_[to] && places_[to] < rest_of_[from].end;
  }

 private:
  static constexpr std::uint32_t kNoPlace = 0xffffffffU;

  EdgeLabel label_;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> chain_ends_;
  std::vector<Rest> rest_of_;          // by vertex
  std::vector<std::uint32_t> places_;  // by vertex
};

}  // namespace elapid
