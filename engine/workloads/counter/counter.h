// counter: single operations :add a number to one counter, and :read shows the sum.
//
//   {:type :ok, :f :add, :value 2}   {:type :ok, :f :read, :value 2}
//
// The counter is 0 at first. It is judged for linearizability (engine/linearize/types/counter.h).
// Jepsen's checker of this name asks for less, that each read lies between bounds: `--elle-compat`
// and `elapid elle-cli` answer as it does (jepsen_counter.h).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow counter_row();

}  // namespace elapid
