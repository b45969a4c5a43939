// From the effects that a sweep took to the order of all operations.
//
//   effects   write 2 just before 4, cas 2 3 just before 9
//   write 1 [0, 5]      unseen: just before the write of 2
//   read 2 [3, 6]       just after it, at 4 or when the read was invoked
//
// Effects are in the order; each other operation that returned finds its place among them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/effect_trail.h"
#include "engine/linearize/operation.h"

namespace elapid::linearize {

/// The operations in order; some that returned are missing if there is no place for them, which
/// verify_order.h would find. O(n log n), and the effects within each operation's interval.
[[nodiscard]] std::vector<std::uint32_t> order_of_effects(const Operations& operations,
                                                          const std::vector<Effect>& effects,
                                                          ValueId initial);

}  // namespace elapid::linearize
