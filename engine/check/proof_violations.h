// From a refutation to the violations that a verdict shows.
#pragma once

#include <vector>

#include "engine/check/answer.h"
#include "engine/ir/history.h"
#include "engine/solve/solve.h"

namespace elapid {

/// The graph whose existence of a cycle a proof shows that no single cycle ends.
struct CyclicGraph {
  AnomalyType type;
  Model model;
};

/// What violates `model`: anomalies of single reads, which are taken from the result, and each
/// proof of the refutation, shown with its last cycle or, if none ends it, by `graph`.
[[nodiscard]] std::vector<OrderViolation> take_violations(const History& history, Model model,
                                                          SolveResult& result, CyclicGraph graph);

}  // namespace elapid
