// dirty-reads: single operations :write one value to all rows of a table, and :read all rows.
//
//   {:type :fail, :f :write, :value 5}   {:type :ok, :f :read, :value [5 5 3]}
//
// The read shows 5, whose write failed: a dirty read. It also shows a mix of two writes, which is
// counted and not judged. The history is valid if no read shows a value of a failed write, and
// unknown if nothing was read.
//
// After Jepsen (tests of Galera and Percona), whose keys the result has: `:inconsistent-reads` and
// `:dirty-reads`, the values of such reads. A value that some other write may have written, since
// it did not fail, is not dirty here; Jepsen does not look for other writes.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n) in operations and values read.
[[nodiscard]] WorkloadRow dirty_reads_row();

}  // namespace elapid
