// causal-reverse, also named comments: single operations :write a value each to a set, and :read
// shows the set.
//
//   {:type :invoke, :f :write, :value 1}   {:type :ok, :f :write, :value 1}
//   {:type :invoke, :f :write, :value 2}   {:type :ok, :f :write, :value 2}
//   {:type :ok, :f :read, :value #{2}}
//
// Write 1 was acknowledged before write 2 was invoked, and the read shows 2 without 1: a causal
// reverse, which strict serializability forbids. The history is valid if no read shows a write
// without those acknowledged before its invocation, and unknown if nothing was read.
//
// After Jepsen (jepsen.tests.causal-reverse, and comments of the tests of CockroachDB), whose keys
// the result has: `:errors`, the reads with what they are missing. Of values written more than once
// Jepsen takes the last invocation; this check takes the first one that did not fail, since the
// value may show from then on. Both tests are of independent keys.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n log n) in operations and elements read, and what is missing.
[[nodiscard]] WorkloadRow causal_reverse_row();

/// The same by the name that it has in elle-cli and in the tests of CockroachDB.
[[nodiscard]] WorkloadRow comments_row();

}  // namespace elapid
