#include "engine/certify/anomalies/cycle_class.h"

#include <algorithm>
#include <array>

namespace elapid::certify {

namespace {

/// One row a dependency class, one column an order of transactions: none, process, realtime.
constexpr std::array<std::array<AnomalyType, 3>, 5> kClasses = {{
    {AnomalyType::kG0, AnomalyType::kG0Process, AnomalyType::kG0Realtime},
    {AnomalyType::kG1c, AnomalyType::kG1cProcess, AnomalyType::kG1cRealtime},
    {AnomalyType::kGSingleItem, AnomalyType::kGSingleItemProcess,
     AnomalyType::kGSingleItemRealtime},
    {AnomalyType::kGNonadjacentItem, AnomalyType::kGNonadjacentItemProcess,
     AnomalyType::kGNonadjacentItemRealtime},
    {AnomalyType::kG2Item, AnomalyType::kG2ItemProcess, AnomalyType::kG2ItemRealtime},
}};

/// The same for cycles with an anti-dependency of a predicate.
constexpr std::array<std::array<AnomalyType, 3>, 5> kPredicateClasses = {{
    kClasses[0],
    kClasses[1],
    {AnomalyType::kGSingle, AnomalyType::kGSingleProcess, AnomalyType::kGSingleRealtime},
    {AnomalyType::kGNonadjacent, AnomalyType::kGNonadjacentProcess,
     AnomalyType::kGNonadjacentRealtime},
    {AnomalyType::kG2, AnomalyType::kG2Process, AnomalyType::kG2Realtime},
}};

bool has_predicate_rw(std::span<const Step> steps) {
  return std::ranges::any_of(
      steps, [](const Step& step) { return step.relation == Relation::kRw && step.by_predicate; });
}

std::size_t row_of(std::span<const Step> steps) {
  const auto rw_count = std::ranges::count(steps, Relation::kRw, &Step::relation);
  if (rw_count > 1) {
    return has_adjacent_rw(steps) ? 4 : 3;
  }
  if (rw_count == 1) {
    return 2;
  }
  return has(steps, Relation::kWr) ? 1 : 0;
}

std::size_t column_of(std::span<const Step> steps) {
  if (has(steps, Relation::kRealtime)) {
    return 2;
  }
  return has(steps, Relation::kProcess) ? 1 : 0;
}

}  // namespace

bool has(std::span<const Step> steps, Relation relation) {
  return std::ranges::find(steps, relation, &Step::relation) != steps.end();
}

bool has_adjacent_rw(std::span<const Step> steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].relation == Relation::kRw &&
        steps[(i + 1) % steps.size()].relation == Relation::kRw) {
      return true;
    }
  }
  return false;
}

AnomalyType class_of(std::span<const std::vector<Step>> cycles) {
  std::size_t row = 0;
  std::size_t column = 0;
  bool by_predicate = false;
  for (const std::vector<Step>& steps : cycles) {
    row = std::max(row, row_of(steps));
    column = std::max(column, column_of(steps));
    by_predicate = by_predicate || has_predicate_rw(steps);
  }
  return (by_predicate ? kPredicateClasses : kClasses)[row][column];
}

}  // namespace elapid::certify
