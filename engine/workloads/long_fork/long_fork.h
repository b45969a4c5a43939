// long-fork: transactions of one write, or of reads only; each key is written once.
//
//   {:type :ok, :f :write, :value [[:w 1 1]]}   {:type :ok, :f :write, :value [[:w 2 1]]}
//   {:type :ok, :f :read, :value [[:r 1 1] [:r 2 nil]]}
//   {:type :ok, :f :read, :value [[:r 1 nil] [:r 2 1]]}
//
// The reads tell of opposite orders of the writes: a long fork, which parallel snapshot isolation
// allows and snapshot isolation forbids. The history is valid if there is none (forks.h), unknown
// if nothing was read or if forks cannot be told, since a key was written twice.
//
// After Jepsen (jepsen.tests.long-fork), whose keys the result has. Jepsen does not look for forks
// at all where some key is written twice, or where a read asks for more or fewer keys than the
// group size. This check looks for them among the other keys, and asks for a size only if it is
// told one. Operations are those of rw-register: histories are recognised where they have the names
// and values of Jepsen's test (Clues::may_be_long_fork), else the user has to name this workload.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n log n) for n operations where there is no fork.
[[nodiscard]] WorkloadRow long_fork_row();

}  // namespace elapid
