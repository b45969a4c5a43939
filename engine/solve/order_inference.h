// Inference without choices that improves one order. It needs no reachability.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// `order` is a topological order of the graph. Finds edges that hold in every execution and
/// disagree with the order, adds them to the graph, and moves events accordingly, until such edges
/// are rare. Most other edges that saturation would infer agree with the order.
///
/// Returns the new order, again topological. Returns nothing if the edges form a cycle, if `work`,
/// the count of edges and events looked at, runs out, or if `keep_going`, called now and then,
/// returns false. The graph is then cyclic only if the edges form a cycle, which refutes the level.
///
/// Skips reads with an open writer, and lists with repeated elements.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> infer_in_order(
    const OrderProblem& problem, OrderGraph& graph, std::span<const std::uint32_t> order,
    std::uint64_t& work, const std::function<bool()>& keep_going = {});

}  // namespace elapid
