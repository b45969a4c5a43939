// grow-only-set: single operations :add an element to one set, and each :read shows all that is in
// it.
//
//   {:type :ok, :f :add, :value 1}   {:type :ok, :f :read, :value #{1}}
//
// All reads are judged, for linearizability (engine/linearize/types/grow_only_set.h). The workload
// set asks for less: what the last read shows. A history does not tell which is meant, so the user
// says it.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow grow_only_set_row();

}  // namespace elapid
