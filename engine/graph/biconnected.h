// Biconnected components of an undirected graph: the parts that stay connected when any single
// vertex is removed. Two triangles that share one vertex are two components.
//
// Hopcroft and Tarjan, "Algorithm 447: efficient algorithms for graph manipulation" (CACM 16(6),
// 1973), iterative.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace elapid {

/// An edge between two vertices, in any order; no loops. Parallel edges count as one.
using UndirectedEdge = std::pair<std::uint32_t, std::uint32_t>;

/// Each edge is in exactly one component; a vertex is in those of its edges.
struct BiconnectedComponents {
  std::vector<std::uint32_t> of_edge;
  std::uint32_t count = 0;
};

/// O(vertices + edges).
[[nodiscard]] BiconnectedComponents biconnected_components(std::uint32_t vertex_count,
                                                           std::span<const UndirectedEdge> edges);

}  // namespace elapid
