// Counters by bounds: each read lies between the certain adds and the possible adds.
//
//   {:type :invoke, :f :add, :value 1}
//   {:type :invoke, :f :read}   {:type :ok, :f :read, :value 1}   0 <= 1 <= 1
//   {:type :invoke, :f :read}   {:type :ok, :f :read, :value 0}   0 <= 0 <= 1
//   {:type :ok, :f :add, :value 1}
//
// An add is certain for a read if it succeeded before the read was invoked, and possible if it was
// invoked before the read completed and did not fail. The lower bound sums the certain adds and
// possible negative ones; the upper bound the certain adds and possible positive ones. Each read is
// judged by itself: the history above is valid, although no order explains both reads.
//
// After jepsen.checker/counter, whose keys the result has: `:reads`, triples of lower bound, value
// and upper bound in the order of completions, and `:errors`, those that lie outside. It takes no
// negative numbers.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Each key is a counter of its own. `is_jepsen`: there is one counter. A read that succeeded with
/// nil makes the verdict unknown, as Jepsen's exception does; else it shows nothing. Error
/// kMalformed, as to Jepsen: a negative number is added. Sums beyond 64 bits make the verdict
/// unknown, unless a read before them is out of bounds; to Jepsen in any case. O(n log n) for n
/// operations.
[[nodiscard]] Result<Verdict> judge_counter_bounds(const History& history, bool is_jepsen);

}  // namespace elapid
