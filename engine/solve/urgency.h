// Priorities of events whose order is open.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// By vertex, its priority: the smallest number should come first. By the database's timestamps,
/// else by times, else in turns, each transaction as a whole. Predecessors of an event are as
/// urgent as the event. `successors` and `order` (topological) are those of the graph. Linear,
/// except for sorting timestamps.
[[nodiscard]] std::vector<std::uint32_t> urgencies(const OrderProblem& problem,
                                                   const OrderGraph& graph,
                                                   const Adjacency& successors,
                                                   std::span<const std::uint32_t> order);

/// By vertex, the rank of the latest point at which it can have come: by the database's timestamps,
/// else by completions, else in turns. The same cost.
[[nodiscard]] std::vector<std::uint32_t> completion_ranks(const OrderProblem& problem,
                                                          const OrderGraph& graph,
                                                          const Adjacency& successors,
                                                          std::span<const std::uint32_t> order);

}  // namespace elapid
