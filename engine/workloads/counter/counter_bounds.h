// Counters by bounds: each read lies between what was surely added and what may have been.
//
//   {:type :invoke, :f :add, :value 1}
//   {:type :invoke, :f :read}   {:type :ok, :f :read, :value 1}   0 <= 1 <= 1
//   {:type :invoke, :f :read}   {:type :ok, :f :read, :value 0}   0 <= 0 <= 1
//   {:type :ok, :f :add, :value 1}
//
// An add counts surely if it succeeded before the read was invoked. It may count if it was invoked
// before the read completed, and did not fail. The lower bound has all that counts surely, and what
// may count and is negative; the upper bound what may count and is positive. Each read counts by
// itself: the history above is valid, although no order of its operations explains both reads.
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
/// unknown. O(n log n) for n operations.
[[nodiscard]] Result<Verdict> judge_counter_bounds(const History& history, bool is_jepsen);

}  // namespace elapid
