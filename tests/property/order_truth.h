// At which of the levels that an order of events defines a history holds, by the oracle.
#pragma once

#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// All of them, the weakest last; unknown real time orders nothing.
[[nodiscard]] std::vector<OrderLevel> levels_of(const History& history);

/// By level, whether it holds. Exponential, see oracle.h.
[[nodiscard]] std::vector<bool> truth(const History& history, const std::vector<OrderLevel>& levels,
                                      const Assumptions& assumptions = {});

}  // namespace elapid
