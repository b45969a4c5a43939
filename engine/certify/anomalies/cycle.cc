#include <algorithm>
#include <array>
#include <span>

#include "engine/certify/anomalies/cycle_class.h"
#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/anomalies/step.h"
#include "engine/certify/operations/operations.h"

namespace elapid::certify {

namespace {

/// Every step holds, begins where the one before ends, and the last one returns to the start.
Flaw check_closed_walk(const Index& index, std::span<const Step> steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string name = "step " + std::to_string(i + 1) + " (" +
                             std::string(relation_name(steps[i].relation)) + ")";
    if (Flaw flaw = check_step(index, steps[i])) {
      return name + ": " + *flaw;
    }
    if (steps[i].to != steps[(i + 1) % steps.size()].from) {
      return name + " does not lead to the step after it";
    }
  }
  return {};
}

Flaw check_distinct(const Index& index, std::vector<TxnId> txns) {
  std::ranges::sort(txns);
  if (!txns.empty() && !index.has(txns.back())) {
    return "there is no transaction number " + std::to_string(txns.back().value);
  }
  const auto repeated = std::ranges::adjacent_find(txns);
  if (repeated != txns.end()) {
    return txn_text(index.history(), *repeated) + " is named twice";
  }
  return {};
}

/// Which steps a model's graph consists of, beside ww.
struct ModelGraph {
  enum class Rw : std::uint8_t { kNone, kNeverAdjacent, kAny };

  AnomalyType type;
  Model model;
  bool has_wr;
  Rw rw;
  Relation order = Relation::kWw;  ///< kProcess or kRealtime; kWw: neither
};

constexpr std::array<ModelGraph, 13> kModelGraphs = {{
    {AnomalyType::kPl1CycleExists, Model::kPl1, false, ModelGraph::Rw::kNone},
    {AnomalyType::kPl2CycleExists, Model::kPl2, true, ModelGraph::Rw::kNone},
    {AnomalyType::kPlSiCycleExists, Model::kPlSi, true, ModelGraph::Rw::kNeverAdjacent},
    {AnomalyType::kPl299CycleExists, Model::kPl299, true, ModelGraph::Rw::kAny},
    {AnomalyType::kPl3CycleExists, Model::kPl3, true, ModelGraph::Rw::kAny},
    {AnomalyType::kStrongSessionPl1CycleExists, Model::kStrongSessionPl1, false,
     ModelGraph::Rw::kNone, Relation::kProcess},
    {AnomalyType::kStrongSessionPl2CycleExists, Model::kStrongSessionPl2, true,
     ModelGraph::Rw::kNone, Relation::kProcess},
    {AnomalyType::kStrongSessionSnapshotIsolationCycleExists,
     Model::kStrongSessionSnapshotIsolation, true, ModelGraph::Rw::kNeverAdjacent,
     Relation::kProcess},
    {AnomalyType::kStrongSessionSerializableCycleExists, Model::kStrongSessionSerializable, true,
     ModelGraph::Rw::kAny, Relation::kProcess},
    {AnomalyType::kStrongPl1CycleExists, Model::kStrongPl1, false, ModelGraph::Rw::kNone,
     Relation::kRealtime},
    {AnomalyType::kStrongPl2CycleExists, Model::kStrongPl2, true, ModelGraph::Rw::kNone,
     Relation::kRealtime},
    {AnomalyType::kStrongSnapshotIsolationCycleExists, Model::kStrongSnapshotIsolation, true,
     ModelGraph::Rw::kNeverAdjacent, Relation::kRealtime},
    {AnomalyType::kPlSsCycleExists, Model::kPlSs, true, ModelGraph::Rw::kAny, Relation::kRealtime},
}};

bool allows(const ModelGraph& graph, Relation relation) {
  switch (relation) {
    case Relation::kWw:
      return true;
    case Relation::kWr:
      return graph.has_wr;
    case Relation::kRw:
      return graph.rw != ModelGraph::Rw::kNone;
    default:
      // Models with real time imply those with session order.
      return relation == graph.order ||
             (relation == Relation::kProcess && graph.order == Relation::kRealtime);
  }
}

}  // namespace

Flaw check(const Index& index, AnomalyType type, const CycleEvidence& evidence) {
  if (evidence.steps.empty()) {
    return "a cycle without steps";
  }
  if (Flaw flaw = check_closed_walk(index, evidence.steps)) {
    return flaw;
  }
  std::vector<TxnId> txns(evidence.steps.size());
  std::ranges::transform(evidence.steps, txns.begin(), &Step::from);
  if (Flaw flaw = check_distinct(index, std::move(txns))) {
    return flaw;
  }
  if (const AnomalyType actual = class_of({&evidence.steps, 1}); actual != type) {
    return "the cycle's steps make it " + std::string(name(actual));
  }
  return {};
}

Flaw check(const Index& index, AnomalyType type, const CycleExistsEvidence& evidence) {
  const auto graph = std::ranges::find(kModelGraphs, type, &ModelGraph::type);
  if (graph == kModelGraphs.end() || graph->model != evidence.model) {
    return "a cycle in the graph of " + std::string(canonical_name(evidence.model)) +
           " is not what this anomaly is about";
  }
  if (evidence.component.empty()) {
    return "a component without transactions";
  }
  if (Flaw flaw = check_distinct(index, evidence.component)) {
    return flaw;
  }
  for (const Step& step : evidence.walk) {
    if (!allows(*graph, step.relation)) {
      return std::string(relation_name(step.relation)) + " is no dependency of " +
             std::string(canonical_name(evidence.model));
    }
  }
  if (graph->rw == ModelGraph::Rw::kNeverAdjacent && has_adjacent_rw(evidence.walk)) {
    return "two anti-dependencies in succession do not contradict " +
           std::string(canonical_name(evidence.model));
  }
  return check_closed_walk(index, evidence.walk);
}

}  // namespace elapid::certify
