// causal: single operations :read-init, :write and :read on a register in one causal order, each
// with the position that the database gives it and a link to the one before.
//
//   {:type :ok, :f :read-init, :value 0, :link :init, :position 10}
//   {:type :ok, :f :write, :value 1, :link 10, :position 11}
//   {:type :ok, :f :read, :value 0, :link 11, :position 12}
//
// The read follows the write and does not show it, which causal consistency forbids. The history is
// valid if, in the order of completions, each operation links to the last one, the n-th write
// writes n, and reads show what was written last (0 at first); unknown if nothing succeeded.
//
// After Jepsen (jepsen.tests.causal), whose keys the result has: `:model`, the register at the end,
// or `:error`. Jepsen takes writes that failed, or whose fate is unknown, as if they had not been
// attempted; here they explain the number of a later write, and those of unknown fate what a later
// read shows. The test is of independent keys.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n) for n operations.
[[nodiscard]] WorkloadRow causal_row();

}  // namespace elapid
