// mutex: single operations :acquire and :release a lock.
//
//   {:type :ok, :f :acquire, :value nil}   {:type :ok, :f :release, :value nil}
//
// The lock is free at first, and any process may release it, as in Knossos' model of this name. It
// is judged for linearizability (engine/linearize/types/lock.h).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow mutex_row();

}  // namespace elapid
