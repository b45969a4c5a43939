// Registers on which single operations work: :read, :write and :cas, as Knossos and many of
// Jepsen's tests have them.
//
// Each operation becomes a transaction on one key. A :cas is a read of the old value and a write of
// the new one:
//
//   {:type :ok, :f :cas, :value [1 2]}   becomes   [[:r nil 1] [:w nil 2]]
//
// An operation that does not say :ok tells nothing about what was read, and took part with what was
// invoked, whatever its value is. A cas whose fate is unknown read what it was to compare with, if
// it took effect; one that failed has a read of an unknown value, so that its expectation is
// nobody's write.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow cas_register_row();

}  // namespace elapid
