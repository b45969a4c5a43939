// Priorities of events whose order is open.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// By vertex, what comes first if it can: smaller numbers. By the database's timestamps, else by
/// times, and without either in turns, each transaction as a whole. Whatever must precede an event
/// is as urgent. `successors` and `order` (topological) are those of the graph. Linear, but for
/// sorting timestamps.
[[nodiscard]] std::vector<std::uint32_t> urgencies(const OrderProblem& problem,
                                                   const OrderGraph& graph,
                                                   const Adjacency& successors,
                                                   std::span<const std::uint32_t> order);

/// By vertex, the latest that it can have come: by the database's timestamps, else by completions,
/// and without either in turns. Likewise.
[[nodiscard]] std::vector<std::uint32_t> completion_ranks(const OrderProblem& problem,
                                                          const OrderGraph& graph,
                                                          const Adjacency& successors,
                                                          std::span<const std::uint32_t> order);

}  // namespace elapid
