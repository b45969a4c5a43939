// The transactions of multi-register as those of rw-register, for the engines that decide levels.
//
//   [[:read :x nil] [:read :y 0] [:write :z 1]], where nothing writes 0 to y before it
//     becomes   [[:r unread nil] [:r :y nil] [:w :z 1]]
//
// The numbers of transactions, sessions, keys, values and operations stay, so that evidence speaks
// of both histories. Operations of transactions that failed are left out. A read that shows nothing
// reads a key of its own, which nothing writes.
//
// What a register holds at first is known if it is given, or if a read shows a value that nothing
// can have written before. Else some read may show what was there at first or what another one
// wrote: one that no write of its register precedes in time.
#pragma once

#include "engine/workloads/object_claims.h"

namespace elapid {

/// Error: why there is none.
[[nodiscard]] Result<RegisterTransactions> transactions_of_multi_register(const History& history);

}  // namespace elapid
