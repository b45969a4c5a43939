// dirty-read: single operations :write an element, :read whether it is there, and in the end a
// :strong-read of all elements on each node.
//
//   {:type :ok, :f :write, :value 1}   {:type :ok, :f :read, :value 2}
//   {:type :ok, :f :strong-read, :value #{}}
//
// Element 1 is lost: its write was acknowledged, and no strong read shows it. Element 2 is dirty:
// it was read, and no strong read shows it. The history is valid if all strong reads are equal,
// nothing is lost and nothing is dirty; unknown if there is no strong read.
//
// After Jepsen (tests of Crate and Elasticsearch), whose keys the result has. Jepsen demands one
// strong read of each process of the test, and takes for granted that all else has ended before
// they begin. Here only what ended before the last of them began can be lost or dirty. Where strong
// reads differ only in what may have been written meanwhile, the verdict is unknown.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n log n) in operations and elements read.
[[nodiscard]] WorkloadRow dirty_read_row();

}  // namespace elapid
