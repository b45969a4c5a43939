// Many reachability questions at once: bit-parallel propagation over the condensation of a graph.
//
// Each of 512 sources has a bit. A vertex hands its bits to its successors, in topological order of
// the strongly connected components; in the end the bits at a vertex say which sources reach it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/graph/digraph.h"
#include "engine/graph/search_budget.h"

namespace elapid {

/// For each pair (source, target): whether source reaches target by edges with a label in `mask`. A
/// vertex reaches itself. A pass has 512 sources and costs 8 words an edge. `budget` counts edge
/// visits; when it is spent, the remaining answers are false.
[[nodiscard]] std::vector<bool> reachable(
    const Digraph& graph, EdgeLabel mask,
    std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs, SearchBudget& budget);

}  // namespace elapid
