// From a refutation to the violations that a verdict shows.
#pragma once

#include <vector>

#include "engine/check/answer.h"
#include "engine/ir/history.h"
#include "engine/solve/solve.h"

namespace elapid {

/// The anomaly and its model if no single cycle ends a proof: the model's graph has a cycle.
struct CyclicGraph {
  AnomalyType type;
  Model model;
};

/// The violations of `model`: the anomalies of single reads, which are moved out of the result, and
/// each proof of the refutation. A proof is shown with its last cycle, or else by `graph`.
[[nodiscard]] std::vector<OrderViolation> take_violations(const History& history, Model model,
                                                          SolveResult& result, CyclicGraph graph);

}  // namespace elapid
