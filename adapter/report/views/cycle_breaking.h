// Chooses the edges of a graph to reverse so that it has no cycles.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace elapid {

/// By edge, whether to reverse it. A graph that is one cycle is opened at opposite ends, so that it
/// is drawn as a loop, half as long as a chain: 1 -> 2 -> 3, with 3 -> 4 -> 1 reversed. Other
/// graphs use the heuristic of Eades, Lin and Smyth, "A fast and effective heuristic for the
/// feedback arc set problem" (Information Processing Letters 47, 1993): sinks last, sources first,
/// else the vertex with the greatest surplus of outgoing edges. Edges from a vertex to itself are
/// ignored. Quadratic in the vertices.
[[nodiscard]] std::vector<bool> edges_to_reverse(
    std::size_t vertices, const std::vector<std::pair<std::size_t, std::size_t>>& edges);

}  // namespace elapid
