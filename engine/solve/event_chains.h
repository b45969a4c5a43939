// The division of events into chains for reachability (graph/chain_clocks.h). Each chain costs an
// entry at every event, so few long chains are best: sessions, and the timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/graph/chain_clocks.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Sessions, if the level has them, and the timeline. If there are no sessions, or very many, a
/// greedy cover of the graph by paths, if it has fewer chains. Nothing if clocks need more than
/// `max_bytes`. `order`: a topological order of the graph. Linear.
[[nodiscard]] std::optional<Chains> chains_of_events(const OrderProblem& problem,
                                                     const OrderGraph& graph,
                                                     std::span<const std::uint32_t> order,
                                                     std::size_t max_bytes);

}  // namespace elapid
