// The configuration sweep: decides whether operations of a register are linearizable, event by
// event, for all orders at once.
//
// A configuration is a content of the register and the state of each open operation: it must still
// take effect, it may, or it has. The sweep keeps the configurations of all orders of the
// operations so far. It lets an operation take effect only when an operation that returns needs it:
//
//   write 1 |------|            at the return of "read 2" the write of 2 takes effect, then the
//   read; write 2    |--------|       "write 1" could have come just before that write, unseen, so
//   that it read 2       |---|          may count as done: one configuration stands for both orders
//
// After the just-in-time variant of Wing and Gong's search: Wing and Gong, JPDC 1993; Lowe, CCPE
// 2017. What keeps the configurations few is in register_pass.h.
#pragma once

#include "engine/linearize/register_judgement.h"

namespace elapid::linearize {

/// With k operations open at once that return: at most O(2^k) configurations an event, usually a
/// handful. Also kUnknown if more than 1,024 are open at once.
[[nodiscard]] RegisterJudgement sweep_register(const Operations& operations,
                                               const RegisterQuestion& question);

}  // namespace elapid::linearize
