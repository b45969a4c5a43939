// The strongly connected components of a dependency graph, each as a small graph of its own.
//
// Every cycle lies within one component, so the search for cycles looks at nothing else. Real time
// relates nearly every pair of transactions; to find the components it is a chain of auxiliary
// vertices (order.h), which has as many edges as the history has events. Only within a component
// are its edges made between pairs.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/graph/digraph.h"
#include "engine/infer/inference.h"
#include "engine/infer/order.h"

namespace elapid {

/// A component: graph vertex i is transaction txns[i].
struct ComponentGraph {
  std::vector<TxnId> txns;  ///< ascending
  Digraph graph;
  bool is_partial = false;  ///< some edges of bundles are missing
};

/// All components of at least two transactions, ordered by first member. Linear in the history and
/// its edges; real-time edges are made only within components. Edges from a transaction to itself
/// stay. Bundles add at most `most_pairs` edges in sum. A component that lacks some is_partial.
[[nodiscard]] std::vector<ComponentGraph> component_graphs(
    const History& history, const Inference& inference, ExternalOrders orders,
    std::uint64_t most_pairs = std::numeric_limits<std::uint64_t>::max());

}  // namespace elapid
