// Whether a model's forbidden graph, a part of the dependency graph, has a cycle.
//
// Example: snapshot isolation forbids cycles in which each anti-dependency (rw) directly follows
// another dependency. T1 -ww-> T2 -rw-> T1 is one; T1 -rw-> T2 -rw-> T1, a write skew, is none
// (Cerone and Gotsman, "Analysing Snapshot Isolation", PODC 2016).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/graph/digraph.h"
#include "engine/infer/component_graph.h"
#include "engine/infer/cycle_classes.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The smallest set of vertices on a common cycle of a forbidden graph; empty if it has no cycle.
/// An edge from a vertex to itself is a cycle. Linear in the graph.
[[nodiscard]] std::vector<std::uint32_t> smallest_cyclic_component(const Digraph& graph,
                                                                   const ForbiddenGraph& forbidden);

/// Appends ...-cycle-exists for each model whose forbidden graph has a cycle in the component,
/// except for models that one of these already refutes. Returns the anomalies that the component
/// does not have: the models without a cycle proscribe them.
[[nodiscard]] AnomalySet find_forbidden_graphs(const ComponentGraph& component,
                                               std::vector<Anomaly>& out);

}  // namespace elapid
