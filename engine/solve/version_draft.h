// A draft of an order of events, by way of an order of versions, in linear time.
//
// If the order of the versions of each key is known, no choice is left: a read comes after its
// version and before the next one. If these edges form no cycle with the certain edges, every
// topological order of all edges serves all reads. So read-only transactions, and snapshots, come
// where all their values were current, however late they ran. The draft assumes that versions are
// in the order in which their writers completed.
//
// Example: T1 writes x = 1, T2 writes x = 2, and much later T3 reads x = 1. T3 precedes T2, by the
// edge from its read to the next version: T1 T3 T2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/solve/order_graph.h"
#include "engine/solve/problem.h"
#include "engine/solve/urgency.h"

namespace elapid {

struct DraftedOrder {
  /// All vertices, in a topological order of the graph and `likely`.
  std::vector<std::uint32_t> order;
  /// Whether this order serves every read of a certain transaction. If not, everything wrong with
  /// the order is among events on a circle with assumed edges.
  bool serves_all = false;
  /// Otherwise the assumed edges that remain if writers on circles and indeterminate writers are
  /// left out.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> likely = {};
  std::size_t on_circles = 0;  ///< events on such circles
};

/// `order`: a topological order of the graph. Nothing if the assumption makes no sense: for lists
/// with repeated elements; for a read with only optional transactions as writers; and for two
/// writers of a key that overwrote the same version although that is excluded. O(edges + reads +
/// writes log writes).
[[nodiscard]] std::optional<DraftedOrder> draft_order(const OrderProblem& problem,
                                                      const OrderGraph& graph,
                                                      std::span<const std::uint32_t> order,
                                                      LateOnes late = LateOnes::kTookEffectLate);

}  // namespace elapid
