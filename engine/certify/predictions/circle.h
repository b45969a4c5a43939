// Cycles in a small directed graph, from which the search learns: no two share a vertex.
#pragma once

#include <cstdint>
#include <vector>

namespace elapid::certify {

/// `after`: by vertex, the ends of its edges. Each cycle as its vertices in order, short cycles
/// first; empty if and only if the graph has none. O(vertices * edges) at worst.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> disjoint_circles(
    const std::vector<std::vector<std::uint32_t>>& after);

}  // namespace elapid::certify
