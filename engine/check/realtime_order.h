// An order in real time, found in one sweep over the events of a history. Most runs of sound
// databases have one. It costs a fraction of inference and solver.
//
// A transaction gets its place as late as possible: when it completes. A forced place comes
// earlier, namely for the writer of what the transaction reads, for the open readers of what it
// overwrites, and for open writers of versions that must come before its own. Two versions of a
// register are in order if an operation on the first (its write or a read of it) completed before
// one on the second was invoked (Gibbons and Korach, "Testing Shared Memories", 1997, section 4).
//
// Example: T1 writes x = 1 and T2 writes x = 2 while both are open. T1 completes first. T3, invoked
// after both have completed, reads x = 1. The order is T2, T1, T3: T2's version is complete before
// T3 is invoked, and T3 reads T1's version, so T2 comes before T1.
#pragma once

#include <functional>
#include <optional>

#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// An order of commits that serves every read of a register or list, and that respects real time
/// and sessions: a proof of strict serializability. A missing order proves nothing: a place that
/// was not forced may be wrong, and a value written twice, or the initial one written again, is
/// left to other engines. Gives up after steps proportional to operations, or if `keep_going`,
/// called now and then, returns false. O(operations) time and memory.
[[nodiscard]] std::optional<Witness> order_in_real_time(
    const History& history, const std::function<bool()>& keep_going = {});

}  // namespace elapid
