// The settings of a workload's checker in the map of a Jepsen test.
//
//   {:name "bank", :accounts [0 1], :total-amount 100, ...}     accounts and total of the bank
#pragma once

#include "engine/verdict/workload_settings.h"
#include "parsers/read.h"

namespace elapid {

/// Completes `given` from the test in whose store the history lies (parsers/test_map.h): accounts,
/// total-amount, sub-via, ww-deps and key-count. A value of another shape than Jepsen's is
/// ignored.
[[nodiscard]] WorkloadSettings with_settings_of_test(const LoadedHistory& loaded,
                                                     WorkloadSettings given);

}  // namespace elapid
