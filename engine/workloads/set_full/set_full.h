// set-full: single operations :add an element to one set, and each :read shows what is in it.
//
//   {:type :ok, :f :add, :value 1}   {:type :ok, :f :read, :value [1]}
//   {:type :ok, :f :add, :value 2}   {:type :ok, :f :read, :value [2]}
//
// Element 1 is lost: the second read began after its add had ended, and after all reads that show
// it, and does not show it. An element that some read misses, but all later ones show, was stale.
// The set is valid if no element is lost, none is shown that was not added before, and no read
// shows one twice; unknown if no element is there to stay. If the request asks for linearizable
// elements, none is stale (element_fates.h).
//
// After jepsen.checker/set-full, whose keys the result has, and which looks at lost and stale
// elements alone: so does the judgement where compatibility to Elle is asked for. Maelstrom's
// workloads g-set, and broadcast with :broadcast as :add, are judged so.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is linear in the elements that reads show, beside sorting. Where linearizability
/// is asked for, the set is judged as grow-only-set.
[[nodiscard]] WorkloadRow set_full_row();

}  // namespace elapid
