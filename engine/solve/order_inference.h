// What follows without a choice, as far as one order needs it: without reachability of all events.
#ifndef ELAPID_ENGINE_SOLVE_ORDER_INFERENCE_H_
#define ELAPID_ENGINE_SOLVE_ORDER_INFERENCE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// Adds edges to the graph that hold in every execution and with which `order`, a topological order
/// of it, disagrees, and moves events until hardly any such edge is found. What saturation would
/// infer beyond that agrees with the order, for most of it. Returns the new order, topological
/// again; nothing if the edges form a cycle, if `work`, counted down by what is looked at, runs
/// out, or if `keep_going`, asked now and then, says no.
///
/// Reads whose writer is open and lists with repeated elements are passed over.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> infer_in_order(
    const OrderProblem& problem, OrderGraph& graph, std::span<const std::uint32_t> order,
    std::uint64_t& work, const std::function<bool()>& keep_going = {});

}  // namespace elapid

#endif  // ELAPID_ENGINE_SOLVE_ORDER_INFERENCE_H_
