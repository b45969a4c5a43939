// Looks for an acceptable execution, mostly without search: carries out events one by one, each as
// soon as its predecessors are done, its reads are served, and no version disappears that a
// transaction must still read. Where events wait for one another in a circle, two writers are made
// to change places, and everything since the first of them is taken back.
//
// Example: T1 writes x = 1, T2 writes x = 2, and T3, which follows T2 in its session, reads x = 1.
// After T1, T2 waits until T3 has read 1, and T3 waits for T2: a circle. So T2 is put before T1;
// everything since T1 is taken back, and the schedule goes on from there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

/// The events of all certain transactions in an order in which every read is served. An empty
/// answer proves nothing. Among events that could come next, the one recorded first does. `order`
/// is a topological order of the graph. O(log) an event and read: gives up where it takes more, or
/// where `keep_going`, asked now and then, says no.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> schedule(
    const OrderProblem& problem, const OrderGraph& graph, std::span<const std::uint32_t> order,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
