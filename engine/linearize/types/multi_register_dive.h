// A quick search for an order of transactions on several registers, which may miss one.
//
//   write x 1, never returned    write y 2    read x 1, y 2      the first takes effect just before
//                                                                the read, which needs it
//
// The search goes from event to event and keeps a few possibilities (a beam): the values of the
// registers, the open transactions that have taken effect, and the number used of each class of
// equal ones that never return. At the return of a transaction that has not taken effect, others
// take effect before it only if it needs what they write, or if it overwrites what they need or
// wrote, or if one of these does. A transaction that only writes may also have taken effect unseen,
// just before one that overwrote what it wrote. Where no possibility is left, the search goes back,
// and keeps more of them.
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/multi_register.h"

namespace elapid::linearize {

/// An order, or undecided. `work`: the most steps.
[[nodiscard]] Judgement dive(const Operations& operations, const RegisterCalls& calls,
                             const InitialValues& initial, std::uint64_t work);

}  // namespace elapid::linearize
