// Registers on which single operations work: :read, :write and :cas, as Knossos and many of
// Jepsen's tests have them.
//
// Each operation becomes a transaction on one key. A :cas is a read of the old value and a write of
// the new one:
//
//   {:type :ok, :f :cas, :value [1 2]}   becomes   [[:r nil 1] [:w nil 2]]
//
// An operation without :ok tells nothing about what was read. It took part as it was invoked,
// whatever its value is. An indeterminate :cas, if it took effect, read the value that it expected.
// A :cas that failed keeps the value that it expected: whether that tells something is the
// format's to say (HistoryInfo::failed_cas_shows), or the user's.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow cas_register_row();

}  // namespace elapid
