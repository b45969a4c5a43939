#include "engine/solve/proof_strength.h"

#include <algorithm>
#include <span>

namespace elapid {

namespace {

using AntiDependencies = ProofStrength::AntiDependencies;

AntiDependencies anti_dependencies(std::span<const OrderEdge> cycle) {
  AntiDependencies found = AntiDependencies::kNone;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (cycle[i].relation != Relation::kRw) {
      continue;
    }
    const bool is_first = found == AntiDependencies::kNone;
    const bool is_adjacent = cycle[(i + 1) % cycle.size()].relation == Relation::kRw;
    found = std::max(found, is_adjacent ? AntiDependencies::kAdjacent
                            : is_first  ? AntiDependencies::kOne
                                        : AntiDependencies::kNeverAdjacent);
  }
  return found;
}

ProofStrength::Order order_of(Relation relation) {
  switch (relation) {
    case Relation::kProcess:
      return ProofStrength::Order::kSessions;
    case Relation::kRealtime:
      return ProofStrength::Order::kRealTime;
    default:
      return ProofStrength::Order::kNone;
  }
}

}  // namespace

ProofStrength strength_of(const SolveResult& refuted) {
  ProofStrength strength = {.ends_with_cycle = refuted.ends_with_cycle};
  for (const ProofStep& step : refuted.refutation->steps) {
    strength.anti_dependencies =
        std::max(strength.anti_dependencies, anti_dependencies(step.cycle));
    for (const OrderEdge& edge : step.cycle) {
      strength.has_wr = strength.has_wr || edge.relation == Relation::kWr;
      strength.order = std::max(strength.order, order_of(edge.relation));
    }
  }
  return strength;
}

}  // namespace elapid
