// From the effects of a sweep to an order of all operations.
//
//   effects   write 2 just before 4, cas 2 3 just before 9
//   write 1 [0, 5]      unseen: just before the write of 2
//   read 2 [3, 6]       just after it, at 4 or when the read was invoked
//
// Effects give the order. Each other operation that returned gets a place among them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/effect_trail.h"
#include "engine/linearize/operation.h"

namespace elapid::linearize {

/// The operations in order. An operation that returned is missing if it has no place, which
/// verify_order.h then finds. O(n log n), plus the effects in each operation's interval.
[[nodiscard]] std::vector<std::uint32_t> order_of_effects(const Operations& operations,
                                                          const std::vector<Effect>& effects,
                                                          ValueId initial);

}  // namespace elapid::linearize
