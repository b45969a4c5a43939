// The shortest cycle of a class, by breadth-first search with visited states.
//
// A state is a vertex with what the walk still has to take (CycleState). From each vertex that can
// start a cycle the search goes breadth-first, no deeper than the best length so far. A class with
// exactly one anti-dependency is first decided for all starts at once, 512 at a time, by
// reachability over the condensation of the other edges; the other classes by components of the
// graph of states. So a class that the graph does not contain costs no search at all.
//
// A shortest closed walk may pass a vertex twice where the class forbids the shortcut;
// simple_cycles() splits it.
#ifndef ELAPID_ENGINE_GRAPH_SHORTEST_CYCLE_H_
#define ELAPID_ENGINE_GRAPH_SHORTEST_CYCLE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/cycle_query.h"
#include "engine/graph/digraph.h"
#include "engine/graph/search_budget.h"

namespace elapid {

struct ShortestCycleResult {
  std::vector<CycleEdge> walk;  ///< closed; empty if there is none, or none was found in time
  bool out_of_budget = false;   ///< a shorter walk may exist, or (if `walk` is empty) any walk
};

/// `budget` counts edge visits and is used up by the search.
[[nodiscard]] ShortestCycleResult shortest_cycle(const Digraph& graph, const CycleQuery& query,
                                                 SearchBudget& budget);

/// Whether the graph has any closed walk of the query; true as well if the budget runs out first.
[[nodiscard]] bool has_closed_walk(const Digraph& graph, const CycleQuery& query,
                                   SearchBudget& budget);

/// The simple cycles that a closed walk is made of.
[[nodiscard]] std::vector<std::vector<CycleEdge>> simple_cycles(std::span<const CycleEdge> walk);

}  // namespace elapid

#endif  // ELAPID_ENGINE_GRAPH_SHORTEST_CYCLE_H_
