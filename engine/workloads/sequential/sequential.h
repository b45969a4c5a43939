// sequential: single operations :write (or :add) the subkeys of a key one after another, and :read
// them newest first.
//
//   {:type :ok, :f :write, :value 7}      adds "7_0", then "7_1", then "7_2"
//   {:type :ok, :f :add, :value [7 "7_0"]}   or each by an operation of its own
//   {:type :ok, :f :read, :value [7 ["7_2" nil "7_0"]]}
//
// A client adds the subkeys in order, so that a read that shows one shows all before it: the read
// above misses "7_1" behind "7_2", which sequential consistency forbids. The history is valid if no
// read has a nil behind a subkey, and unknown if nothing was read.
//
// After Jepsen (tests of CockroachDB, TiDB, Dgraph), whose keys the result has. Where each subkey
// is added by an operation of its own, a nil is bad here only if its subkey was acknowledged to the
// session that then added one that shows. Jepsen asks for no such proof. `:all-count` needs the
// number of subkeys: what it is told, else the length of the longest read.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n) in operations and subkeys read.
[[nodiscard]] WorkloadRow sequential_row();

}  // namespace elapid
