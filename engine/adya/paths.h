// Cycles of any graph, and paths of acyclic ones. Here transactions are only numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"

namespace elapid {

struct Arc {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// How much may still be looked at.
struct ArcBudget {
  std::uint64_t left = 0;

  /// False once it is used up.
  bool spend(std::uint64_t arcs) {
    left -= arcs < left ? arcs : left;
    return left > 0;
  }
};

/// Numbers of arcs, each of which leads to the next one.
using ArcPath = std::vector<std::uint32_t>;

/// Of each strongly connected component a cycle, the shortest one through a few of its vertices.
/// None if the graph is acyclic; no more than `limit`.
[[nodiscard]] std::vector<ArcPath> cycles_of(std::uint32_t vertex_count, std::span<const Arc> arcs,
                                             std::size_t limit, ArcBudget& budget);

/// The vertices of an acyclic graph by a topological order, those of a small rank as early as can
/// be. O(arcs + vertices log vertices).
[[nodiscard]] std::vector<std::uint32_t> order_by_rank(std::uint32_t vertex_count,
                                                       std::span<const Arc> arcs,
                                                       std::span<const std::uint32_t> ranks);

/// Shortest paths in a graph of which some vertices have places, along a topological order. Refers
/// to the arcs.
class PathFinder {
 public:
  /// Paths go on from vertices that have places only.
  PathFinder(std::uint32_t vertex_count, std::span<const Arc> arcs,
             std::vector<std::uint32_t> places);

  static constexpr std::uint32_t kNoPlace = 0xffffffffU;

  [[nodiscard]] std::uint32_t place(std::uint32_t vertex) const { return places_[vertex]; }

  /// A path from one of `sources`, of which only the last arc is one that `ends` accepts. All
  /// vertices on its way have places before `bound`.
  template <class Ends>
  [[nodiscard]] std::optional<ArcPath> find(std::span<const std::uint32_t> sources,
                                            std::uint32_t bound, Ends ends, ArcBudget& budget) {
    begin(sources, bound);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      const std::span<const std::uint32_t> leaving = leaving_.of(reached_[i]);
      if (!budget.spend(leaving.size() + 1)) {
        return std::nullopt;
      }
      for (const std::uint32_t arc : leaving) {
        if (ends(arc)) {
          return path_to(arc);
        }
        visit(arcs_[arc].to, arc, bound);
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t kNoArc = 0xffffffffU;

  void begin(std::span<const std::uint32_t> sources, std::uint32_t bound);
  void visit(std::uint32_t vertex, std::uint32_t by, std::uint32_t bound);
  [[nodiscard]] ArcPath path_to(std::uint32_t arc) const;

  std::span<const Arc> arcs_;
  std::vector<std::uint32_t> places_;
  Adjacency leaving_;
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> by_;     // by vertex: the arc that reached it
  std::vector<std::uint32_t> round_;  // by vertex: when it was reached
  std::uint32_t now_ = 0;
};

}  // namespace elapid
