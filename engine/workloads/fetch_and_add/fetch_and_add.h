// fetch-and-add: single operations that add to a number, which starts at 0, and show what it was
// before.
//
//   {:type :invoke, :f :fetch-and-add, :value [2 nil]}    {:type :ok, ..., :value [2 7]}
//
// Judged for linearizability (engine/linearize/types/fetch_and_add.h).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow fetch_and_add_row();

}  // namespace elapid
