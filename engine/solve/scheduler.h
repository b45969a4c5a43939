// Looks for an acceptable execution, mostly without search. Carries out events one by one, each as
// soon as its predecessors are done, its reads are served, and no version ends that a transaction
// must still read. If events wait for one another in a circle, two writers change places, and
// everything since the first of the two is undone.
//
// Example: T1 writes x = 1, T2 writes x = 2, and T3, which follows T2 in its session, reads x = 1.
// After T1, T2 waits until T3 has read 1, and T3 waits for T2: a circle. So T2 must precede T1.
// Everything since T1 is undone, and the schedule goes on from there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// The events of all certain transactions in an order that serves every read. An empty answer
/// proves nothing. Among possible events, the one recorded first is next. `order`: a topological
/// order of the graph. O(log) an event and read; gives up if it needs more, or if `keep_going`,
/// called now and then, returns false.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> schedule(
    const OrderProblem& problem, const OrderGraph& graph, std::span<const std::uint32_t> order,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
