// Elle's search for a cycle: breadth-first over paths, first hit in a given order of vertices.
//
// Every path is kept separately, without a set of visited vertices, so the search is exponential in
// dense components. It exists to answer as Elle does, within a budget. shortest_cycle.h has the
// search that scales.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/cycle_query.h"
#include "engine/graph/digraph.h"
#include "engine/graph/search_budget.h"

namespace elapid::elle {

struct PathSearchResult {
  std::vector<CycleEdge> cycle;  ///< empty if none was found
  bool out_of_budget = false;    ///< the search stopped early
};

/// The first cycle of `query` in `graph`. `indices` are the vertices' operation indices, which
/// decide the order (champ_order.h). `budget` counts edge visits and is used up by the search.
[[nodiscard]] PathSearchResult first_cycle(const Digraph& graph,
                                           std::span<const std::int64_t> indices,
                                           const CycleQuery& query, SearchBudget& budget);

}  // namespace elapid::elle
