#include "engine/verdict/rows_evidence.h"

#include <algorithm>
#include <array>

namespace elapid {

namespace {

RowsChoice contrary(RowsChoice choice) {
  if (choice.kind == RowsChoice::Kind::kBefore) {
    std::swap(choice.first, choice.second);
  } else {
    choice.holds = !choice.holds;
  }
  return choice;
}

const RowsProofStep* unit_step(const RowsProofEvidence& evidence, const RowsChoice& choice) {
  const auto found = std::ranges::find_if(evidence.steps, [&](const RowsProofStep& step) {
    return (step.reason == RowsProofStep::Reason::kFound ||
            step.reason == RowsProofStep::Reason::kOverlap ||
            step.reason == RowsProofStep::Reason::kVersions) &&
           step.clause.size() == 1 && step.clause.front() == choice;
  });
  return found == evidence.steps.end() ? nullptr : &*found;
}

Relation relation_shown(const RowsProofStep& step) {
  const RowsChoice& choice = step.clause.front();
  if (step.reason == RowsProofStep::Reason::kOverlap) {
    return Relation::kWw;
  }
  return choice.first.txn == step.txn    ? Relation::kRw
         : choice.second.txn == step.txn ? Relation::kWr
                                         : Relation::kWw;
}

bool is_anti(const RowsCycleEdge& edge) {
  return edge.shown_by != nullptr && edge.relation == Relation::kRw;
}

RowsCycleEdge shown_edge(OrderEvent from, OrderEvent to, const RowsProofStep& step) {
  return {.from = from, .to = to, .shown_by = &step, .relation = relation_shown(step)};
}

/// Two steps that contradict one another; or one of a reader that must come before a writer which
/// is given to come first.
std::vector<RowsCycleEdge> short_cycle(const RowsProofEvidence& evidence) {
  for (const RowsProofStep& step : evidence.steps) {
    if (step.clause.size() == 1 && step.clause.front().kind == RowsChoice::Kind::kBefore &&
        step.reason == RowsProofStep::Reason::kFound) {
      const RowsChoice& choice = step.clause.front();
      if (const RowsProofStep* other = unit_step(evidence, contrary(choice))) {
        return {shown_edge(choice.first, choice.second, step),
                shown_edge(choice.second, choice.first, *other)};
      }
    }
    if (step.clause.empty() && step.reason == RowsProofStep::Reason::kFound &&
        step.causes.size() == 1 && !step.causes.front().writer.is_none()) {
      const OrderEvent reader = {step.txn, true};
      const OrderEvent writer = {step.causes.front().writer, true};
      return {{.from = reader, .to = writer, .shown_by = &step, .relation = Relation::kRw},
              {.from = writer, .to = reader}};
    }
  }
  return {};
}

}  // namespace

std::vector<RowsCycleEdge> plain_cycle(const RowsProofEvidence& evidence) {
  if (std::vector<RowsCycleEdge> cycle = short_cycle(evidence); !cycle.empty()) {
    return cycle;
  }
  for (const RowsProofStep& step : evidence.steps) {
    const bool is_plain = step.reason == RowsProofStep::Reason::kCycle &&
                          std::ranges::all_of(step.clause, [&](const RowsChoice& choice) {
                            return unit_step(evidence, contrary(choice)) != nullptr;
                          });
    if (!is_plain) {
      continue;
    }
    std::vector<RowsCycleEdge> cycle;
    for (std::size_t i = 0; i < step.cycle.size(); ++i) {
      RowsCycleEdge edge = {.from = step.cycle[i], .to = step.cycle[(i + 1) % step.cycle.size()]};
      edge.shown_by = unit_step(
          evidence, {.kind = RowsChoice::Kind::kBefore, .first = edge.from, .second = edge.to});
      if (edge.shown_by != nullptr) {
        edge.relation = relation_shown(*edge.shown_by);
      }
      // The start and the commit of a transaction are one actor's.
      if (edge.from.txn != edge.to.txn) {
        cycle.push_back(edge);
      }
    }
    return cycle;
  }
  return {};
}

AnomalyType class_of_cycle(std::span<const RowsCycleEdge> cycle, bool has_process,
                           bool has_real_time) {
  using T = AnomalyType;
  std::size_t anti = 0;
  bool by_predicate = false;
  bool is_adjacent = false;
  bool has_read = false;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    anti += is_anti(cycle[i]) ? 1U : 0U;
    by_predicate = by_predicate || (is_anti(cycle[i]) && cycle[i].shown_by->by_predicate);
    is_adjacent = is_adjacent || (is_anti(cycle[i]) && is_anti(cycle[(i + 1) % cycle.size()]));
    has_read = has_read || (cycle[i].shown_by != nullptr && cycle[i].relation == Relation::kWr);
  }
  static constexpr std::array<std::array<T, 3>, 8> kTypes = {{
      {T::kG0, T::kG0Process, T::kG0Realtime},
      {T::kG1c, T::kG1cProcess, T::kG1cRealtime},
      {T::kGSingleItem, T::kGSingleItemProcess, T::kGSingleItemRealtime},
      {T::kGSingle, T::kGSingleProcess, T::kGSingleRealtime},
      {T::kGNonadjacentItem, T::kGNonadjacentItemProcess, T::kGNonadjacentItemRealtime},
      {T::kGNonadjacent, T::kGNonadjacentProcess, T::kGNonadjacentRealtime},
      {T::kG2Item, T::kG2ItemProcess, T::kG2ItemRealtime},
      {T::kG2, T::kG2Process, T::kG2Realtime},
  }};
  const std::size_t kind = anti == 0 ? (has_read ? 1 : 0)
                                     : (anti == 1     ? 2
                                        : is_adjacent ? 6
                                                      : 4) +
                                           (by_predicate ? 1U : 0U);
  return kTypes[kind][has_real_time ? 2 : has_process ? 1 : 0];
}

}  // namespace elapid
