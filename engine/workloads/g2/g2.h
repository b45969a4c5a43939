// g2: single operations :insert a row for a key into one of two tables, if neither has one.
//
//   {:type :ok, :f :insert, :value [7 [1 nil]]}   row 1 into table a
//   {:type :ok, :f :insert, :value [7 [nil 2]]}   row 2 into table b
//
// Each insertion first looks for rows of the key in both tables. So one of the two insertions above
// must have failed: neither saw the row of the other, an anti-dependency cycle by predicates (G2).
// The history is valid if no key has two insertions that succeeded, and unknown if it has none at
// all.
//
// After Jepsen (jepsen.tests.adya), whose keys the result has. The value is a tuple of
// jepsen.independent; a history whose keys were split already has the pairs of rows alone.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n log n) for n operations.
[[nodiscard]] WorkloadRow g2_row();

}  // namespace elapid
