#include "engine/check/proof_violations.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/infer/cycle_classes.h"
#include "engine/levels/cycle_levels.h"
#include "engine/solve/cycle_steps.h"

namespace elapid {

namespace {

/// The transactions that a proof speaks of, in the order of the history.
std::vector<TxnId> transactions_of(std::span<const ProofStep> steps) {
  std::vector<TxnId> txns;
  for (const ProofStep& step : steps) {
    for (const OrderEdge& edge : step.cycle) {
      txns.insert(txns.end(), {edge.from, edge.to});
    }
  }
  std::sort(txns.begin(), txns.end());
  txns.erase(std::unique(txns.begin(), txns.end()), txns.end());
  return txns;
}

/// The class that covers all these cycles. Cycles that only their shape forbids get the name of the
/// shape, if it has one.
AnomalyType type_of(Model model, std::span<const std::vector<Step>> cycles) {
  const std::optional<CycleLevel> level = cycle_level(model);
  const bool has_rw = std::ranges::any_of(cycles, [](const std::vector<Step>& steps) {
    return std::ranges::find(steps, Relation::kRw, &Step::relation) != steps.end();
  });
  const auto own = level && has_rw ? own_anomaly(level->shape) : std::nullopt;
  return own ? *own : classify_any(cycles);
}

Anomaly anomaly_of(const History& history, Model model, std::span<const ProofStep> steps,
                   bool ends_with_cycle, CyclicGraph graph) {
  std::vector<ProvedChoice> proof;
  std::vector<std::vector<Step>> cycles;
  for (const ProofStep& step : steps) {
    proof.push_back({step.clause, steps_of(history, step.cycle)});
    if (!step.cycle.empty()) {
      cycles.push_back(proof.back().steps);
    }
  }
  if (ends_with_cycle) {
    std::vector<Step> cycle = std::move(proof.back().steps);
    proof.pop_back();
    return {type_of(model, cycles), CycleEvidence{std::move(cycle), std::move(proof), true}};
  }
  return {graph.type, CycleExistsEvidence{.model = graph.model,
                                          .component = transactions_of(steps),
                                          .walk = {},
                                          .because = std::move(proof)}};
}

}  // namespace

std::vector<OrderViolation> take_violations(const History& history, Model model,
                                            SolveResult& result, CyclicGraph graph) {
  std::vector<OrderViolation> violations;
  for (Anomaly& anomaly : result.anomalies) {
    violations.push_back({model, std::move(anomaly)});
  }
  if (!result.refutation) {
    return violations;
  }
  // Each empty clause ends a proof.
  const std::vector<ProofStep>& steps = result.refutation->steps;
  for (auto begin = steps.begin(); begin != steps.end();) {
    const auto end = std::find_if(begin, steps.end(),
                                  [](const ProofStep& step) { return step.clause.empty(); }) +
                     1;
    violations.push_back(
        {model, anomaly_of(history, model, {begin, end}, result.ends_with_cycle, graph)});
    begin = end;
  }
  return violations;
}

}  // namespace elapid
