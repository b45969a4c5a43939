// Inference without choices that improves one order. It does not compute reachability.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// `order` is a topological order of the graph. Finds edges that hold in every execution and that
/// the order disagrees with, adds them to the graph, and moves events accordingly, until hardly any
/// such edge is found. Most edges that saturation would infer beyond these agree with the order.
///
/// Returns the new order, topological again. Returns nothing if the edges form a cycle, if `work`,
/// which counts edges and events looked at, runs out, or if `keep_going`, asked now and then, says
/// no. The graph is cyclic then only if the edges form a cycle: it refutes the level.
///
/// Reads whose writer is open and lists with repeated elements are passed over.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> infer_in_order(
    const OrderProblem& problem, OrderGraph& graph, std::span<const std::uint32_t> order,
    std::uint64_t& work, const std::function<bool()>& keep_going = {});

}  // namespace elapid
