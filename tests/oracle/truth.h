// Whether a history satisfies levels that an order of events defines, of whatever kind they are.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "engine/ir/history.h"
#include "engine/levels/cycle_levels.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// By all executions (oracle.h) or, at saturable levels, by the axiom (axioms.h). Answers without
/// assumptions are kept. Refers to the history.
class Truth {
 public:
  explicit Truth(const History& history) : history_(history) {}

  /// Nothing if that is too much to try. Axioms ignore assumptions: true means that the level holds
  /// without any.
  std::optional<bool> holds(OrderLevel level, const Assumptions& assumptions);

  /// The same of a level that forbids cycles, without assumptions.
  std::optional<bool> holds(CycleLevel level);

 private:
  const History& history_;
  std::map<std::tuple<Visibility, bool, bool>, std::optional<bool>> known_;
  std::map<CycleShape, std::optional<bool>> known_of_shapes_;
};

}  // namespace elapid
