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

/// Whether a completion that came late, compared with those of others, says when its transaction
/// took effect. If not, it took effect as soon after its invocation as others do: its client learnt
/// of it late.
enum class LateOnes : std::uint8_t { kTookEffectLate, kTookEffectSoon };

/// Whether there are any.
[[nodiscard]] bool has_late_ones(const History& history);

/// By vertex, the rank of the latest point at which it can have come: by the database's timestamps,
/// else by completions, else in turns. The same cost.
[[nodiscard]] std::vector<std::uint32_t> completion_ranks(const OrderProblem& problem,
                                                          const OrderGraph& graph,
                                                          const Adjacency& successors,
                                                          std::span<const std::uint32_t> order,
                                                          LateOnes late);

}  // namespace elapid
