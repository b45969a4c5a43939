// A draft of an order of events, by way of the order of versions, in linear time.
//
// Once the order of the versions of each key is known, no choice is left: a read comes after the
// version that it saw and before the next one. If these edges form no cycle with the edges that
// hold anyway, every topological order of them serves all reads. So transactions that only read,
// and snapshots, come where all values that they read were current, however late they ran. The
// draft supposes that versions have the order in which their writers completed.
//
// Example: T1 writes x = 1, T2 writes x = 2, and long after that T3 reads x = 1. T3 comes before
// T2 by the edge from its read to the next version: T1 T3 T2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"

namespace elapid {

struct DraftedOrder {
  /// All vertices, a topological order of the graph.
  std::vector<std::uint32_t> order;
  /// Whether every read of a certain transaction is served if these are carried out in that order.
  /// If not, all that is wrong with it lies among events which the supposed edges put in a circle.
  bool serves_all = false;
};

/// `order`: a topological order of the graph. Nothing where the supposition makes no sense: lists
/// with repeated elements, reads that only transactions served which perhaps took no effect, two
/// writers of a key that overwrote the same version where that is excluded.
/// O(edges + reads + writes log writes).
[[nodiscard]] std::optional<DraftedOrder> draft_order(const OrderProblem& problem,
                                                      const OrderGraph& graph,
                                                      std::span<const std::uint32_t> order);

}  // namespace elapid
