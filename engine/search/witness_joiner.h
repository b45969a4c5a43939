// The orders of several components as one order of all transactions.
#pragma once

#include <span>
#include <vector>

#include "engine/levels/models.h"
#include "engine/search/demands.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::search {

/// An order that contains those of the components and, where the level has it, session order. It
/// comes with the writers that reads then see where several transactions wrote the value. A
/// recorded initial transaction comes first. Linear.
[[nodiscard]] Witness join_orders(const Demands& demands, OrderLevel level,
                                  std::span<const std::vector<OrderEvent>> orders);

}  // namespace elapid::search
