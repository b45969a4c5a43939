// The strongly connected components of a dependency graph, each as a small graph of its own.
#ifndef ELAPID_ENGINE_INFER_COMPONENT_GRAPH_H_
#define ELAPID_ENGINE_INFER_COMPONENT_GRAPH_H_

#include <vector>

#include "engine/graph/digraph.h"
#include "engine/infer/inference.h"
#include "engine/infer/order.h"

namespace elapid {

/// A component: graph vertex i is transaction txns[i].
struct ComponentGraph {
  std::vector<TxnId> txns;  ///< ascending
  Digraph graph;
};

/// All components of at least two transactions, ordered by first member. Linear in the history and
/// its edges; real-time edges are made only within components. Edges from a transaction to itself
/// stay.
[[nodiscard]] std::vector<ComponentGraph> component_graphs(const History& history,
                                                           const Inference& inference,
                                                           ExternalOrders orders);

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_COMPONENT_GRAPH_H_
