// mutex: single operations :acquire and :release a lock.
//
//   {:type :ok, :f :acquire, :value nil}   {:type :ok, :f :release, :value nil}
//
// The lock is free at first, and any process may release it, as in Knossos' model of this name.
// WorkloadSettings::lock says that it is of another kind, as Jepsen's tests of Hazelcast have them:
// owned, reentrant, fenced or a semaphore. The owner is the client that the value names,
// `{:client "a"}`, else the process; a fence is the value of an acquire, `7` or `{:fence 7}`. It is
// judged for linearizability (engine/linearize/types/lock.h).
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow mutex_row();

}  // namespace elapid
