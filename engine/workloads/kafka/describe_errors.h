// Errors of logs in words, with the operations that show them.
//
//   T1 sent 7 to key 1, and failed. However, T2 polled it: an aborted read!
#pragma once

#include <vector>

#include "engine/verdict/description.h"
#include "engine/workloads/kafka/analysis.h"

namespace elapid::kafka {

/// Some cases of each type that the rules forbid, sorted by the types' names. O(n) in the
/// operations.
[[nodiscard]] std::vector<Description> describe_errors(const Analysis& analysis,
                                                       const Rules& rules);

}  // namespace elapid::kafka
