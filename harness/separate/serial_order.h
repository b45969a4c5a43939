// A quick test for histories whose transactions can run one after the other. Most small histories
// pass it and need no check.
#pragma once

#include "harness/separate/placement.h"
#include "harness/separate/small_shape.h"

namespace elapid {

/// Whether the committed transactions, run one after the other in an order that keeps to `before`,
/// read what the shape says. Then every level allows the history. Exponential in transactions.
[[nodiscard]] bool has_serial_order(const SmallShape& shape, const Before& before, bool are_lists);

}  // namespace elapid
