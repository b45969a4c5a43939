// set: single operations :add an element to one set, and a final :read shows what is in it.
//
//   {:type :ok, :f :add, :value 1}   {:type :info, :f :add, :value 2}   {:type :ok, :f :add, :value
//   3}
//   {:type :ok, :f :read, :value [1 2 9]}
//
// Element 3 is lost: its add was acknowledged, and the read does not show it. Element 2 is
// recovered: whether its add succeeded was unknown. Element 9 is unexpected: no add of it was
// tried. The set is valid if nothing is lost or unexpected, and unknown if it was never read.
//
// After Jepsen (jepsen.checker/set), whose keys the result has. Jepsen takes for granted that all
// adds end before the last read begins. Where they do not, an add that was not acknowledged before
// the read began need not show, and one that begins after the read ended must not: with
// compatibility to Elle asked for, such elements are judged as Jepsen does. Where linearizability
// is asked for, all reads are judged, as those of grow-only-set.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n log n) in adds and elements read.
[[nodiscard]] WorkloadRow set_row();

}  // namespace elapid
