// Three tests of databases that are all called monotonic: values must grow as time passes.
//
// monotonic-cockroach: single operations :add a row with the next value and the database's
// timestamp to some table, and in the end :read all rows by timestamp.
//
//   {:type :ok, :f :add, :value {:val 1, :sts 100, :node 0, :process 0, :tb 1}}
//   {:type :ok, :f :read, :value [{:val 1, :sts 100, ...} {:val 2, :sts 120, ...}]}
//
// By the last read, no acknowledged row is lost, none is there twice, none of a failed addition is
// there (revived), timestamps do not fall, and values rise (rows.h). Unknown if nothing was read.
//
// monotonic-faunadb: :inc a register and :read it, each with a timestamp.
//
//   {:type :ok, :f :inc, :value ["2018-12-05T22:15:09.143" 3]}
//
// Neither the values nor the timestamps that a process sees fall, in the order of completions.
//
// monotonic-tidb: :inc a key, which shows its new value, and :read some keys.
//
//   {:type :ok, :f :inc, :value {0 4}}   {:type :ok, :f :read, :value {0 4, 1 7}}
//
// Keys only grow, so that of two operations the one with the smaller value of a key came first.
// That and real time have no cycle (increments.h).
//
// After Jepsen (tests of CockroachDB, FaunaDB and TiDB), whose keys the results have. All three can
// be tests of independent keys.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n log n) in operations and rows read.
[[nodiscard]] WorkloadRow monotonic_cockroach_row();

/// The judgement is O(n) in operations.
[[nodiscard]] WorkloadRow monotonic_faunadb_row();

/// The judgement is O(n log n) in operations and keys read, and each cycle that it shows.
[[nodiscard]] WorkloadRow monotonic_tidb_row();

}  // namespace elapid
