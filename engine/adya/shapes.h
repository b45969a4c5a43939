// Finds cycles of dependencies that a level forbids.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/adya/cycle_problem.h"
#include "engine/adya/dependencies.h"
#include "engine/adya/paths.h"
#include "engine/adya/version_orders.h"
#include "engine/levels/cycle_levels.h"

namespace elapid {

/// A closed walk: each dependency leads to the next one.
using ForbiddenCycle = std::vector<Dependency>;

struct ShapeFindings {
  std::vector<ForbiddenCycle> cycles = {};  ///< one of each kind of trouble, up to the limit
  /// If there is none: the present transactions in an order in which versions and reads lead
  /// forward.
  std::vector<std::uint32_t> order = {};
  bool is_complete = true;  ///< false: the budget was reached
};

/// Looks for cycles without anti-dependencies first, then for those of the shape. Near linear,
/// where readers of old versions are not far behind their writers in the draft.
[[nodiscard]] ShapeFindings find_forbidden(const CycleProblem& problem, const VersionOrders& orders,
                                           CycleShape shape, std::size_t limit, ArcBudget& budget);

}  // namespace elapid
