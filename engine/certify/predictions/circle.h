// Circles in a small directed graph, to learn from: no two share a vertex.
#pragma once

#include <cstdint>
#include <vector>

namespace elapid::certify {

/// `after`: by vertex, those behind its edges. Each circle as its vertices in order, short ones
/// first; empty if and only if the graph has none. O(vertices * edges) at worst.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> disjoint_circles(
    const std::vector<std::vector<std::uint32_t>>& after);

}  // namespace elapid::certify
