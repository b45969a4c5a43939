// The shortest cycle of a class, by breadth-first search with visited states.
//
// A class says which labels the edges of a cycle may have, and which labels it must have. So a
// shortest path is not enough: the search walks a graph of states. A state is a vertex and the
// labels that the walk still has to take (CycleState). Example: a class wants exactly one
// anti-dependency (rw). From vertex 1 the edge 1 -rw-> 0 leads to "vertex 0, no rw to take", and
// from there 0 -ww-> 1 closes the cycle: two steps. The cycle 0, 1, 2 has no rw and never closes.
//
// ```cpp
// const std::vector<LabelledEdge> edges = {
//     {0, 1, kWwEdge}, {1, 0, kRwEdge}, {1, 2, kWwEdge}, {2, 0, kWwEdge}};
// const CycleQuery query = {.base = kWwEdge, .rw = kRwEdge, .mode = RwMode::kSingle};
// SearchBudget budget(1000);
// const ShortestCycleResult found = shortest_cycle(Digraph(3, edges), query, budget);
// REQUIRE(found.walk.size() == 2);
// CHECK(found.walk[0] == CycleEdge{1, 0, kRwEdge});
// CHECK(found.walk[1] == CycleEdge{0, 1, kWwEdge});
// ```
//
// From each vertex that can start a cycle the search goes breadth-first, no deeper than the best
// length so far. First it decides whether the class has a cycle at all: a class with exactly one
// anti-dependency for all starts at once, 512 at a time, by reachability over the condensation of
// the other edges; any other class by components of the graph of states. So a class without a cycle
// costs no search. O(starts * states * edges) at most, bounded by the budget.
//
// A shortest closed walk may pass a vertex twice if the class forbids the shortcut; simple_cycles()
// splits such a walk.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/graph/cycle_query.h"
#include "engine/graph/digraph.h"
#include "engine/graph/search_budget.h"
#include "engine/graph/transitive_order.h"

namespace elapid {

struct ShortestCycleResult {
  std::vector<CycleEdge> walk;  ///< closed; empty if there is none, or the budget was spent first
  bool out_of_budget = false;   ///< a shorter walk may exist, or (if `walk` is empty) any walk
};

/// `budget` counts edge visits and is used up by the search.
///
/// An edge with the label of one of the `orders` is taken from that order alone. The graph must
/// also have edges of that label, as few as possible: the order relates two vertices iff a path of
/// these edges does. So the walk never takes two steps of one order in a row.
[[nodiscard]] ShortestCycleResult shortest_cycle(const Digraph& graph, const CycleQuery& query,
                                                 SearchBudget& budget,
                                                 std::span<const TransitiveOrder> orders = {});

/// The same for walks of less than `length` edges; empty if there is none, or no budget is left.
[[nodiscard]] std::vector<CycleEdge> shorter_cycle(const Digraph& graph, const CycleQuery& query,
                                                   SearchBudget& budget,
                                                   std::span<const TransitiveOrder> orders,
                                                   std::size_t length);

/// Whether the graph has a closed walk of the query; also true if the budget is spent first.
[[nodiscard]] bool has_closed_walk(const Digraph& graph, const CycleQuery& query,
                                   SearchBudget& budget);

/// The simple cycles that make up a closed walk.
[[nodiscard]] std::vector<std::vector<CycleEdge>> simple_cycles(std::span<const CycleEdge> walk);

}  // namespace elapid
