// What Jepsen's checker of counters says: each read lies between bounds.
//
//   {:type :invoke, :f :add, :value 1}
//   {:type :invoke, :f :read}   {:type :ok, :f :read, :value 1}   0 <= 1 <= 1
//   {:type :invoke, :f :read}   {:type :ok, :f :read, :value 0}   0 <= 0 <= 1
//   {:type :ok, :f :add, :value 1}
//
// The lower bound is the sum of the adds that succeeded before the read was invoked. The upper
// bound is the sum of those invoked before it completed, but for those that failed. Each read
// counts by itself: the history above is valid, although no order of its operations explains both
// reads.
//
// After jepsen.checker/counter, whose keys the result has: `:reads`, triples of lower bound, value
// and upper bound in the order of completions, and `:errors`, those that lie outside.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A read that succeeded with nil makes the verdict unknown, as Jepsen's exception does. Error
/// kMalformed: a negative number is added, which Jepsen's checker refuses. O(n) for n operations.
[[nodiscard]] Result<Verdict> judge_as_jepsen(const History& history);

}  // namespace elapid
