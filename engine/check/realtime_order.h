// An order in real time, found in one sweep over the events of a history: what most runs of sound
// databases have, at a fraction of what inference and solver cost.
//
// A transaction gets its place as late as may be, when it completes, and others get theirs before
// it where that is forced: the writer of what it reads, the open readers of what it overwrites,
// and open writers of versions that must come before its own. Two versions of a register are in
// order where something of the first (its write or a read of it) completed before something of the
// second was invoked (Gibbons and Korach, "Testing Shared Memories", 1997, section 4).
//
// Example: T1 writes x = 1 and T2 writes x = 2 while both are open, T1 completes first, and T3,
// invoked when both have completed, reads x = 1. The order is T2, T1, T3: T1 would take its place
// first, but the version of T2 is complete before T3 is invoked, which reads that of T1.
#pragma once

#include <functional>
#include <optional>

#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// An order of commits in which every read of a register or list is served, and which respects
/// real time and sessions: a proof of strict serializability. Nothing proves nothing: a place that
/// was not forced may have been taken wrongly, and a value written twice, or the initial one
/// written again, is left to others. Gives up after a number of steps proportional to operations,
/// or where `keep_going`, asked now and then, says no. O(operations) time and memory.
[[nodiscard]] std::optional<Witness> order_in_real_time(
    const History& history, const std::function<bool()>& keep_going = {});

}  // namespace elapid
