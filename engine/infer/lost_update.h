// Lost updates: two committed transactions that read one version of a key and both wrote the next.
#pragma once

#include <functional>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// All lost updates, one anomaly a version, ordered by key and version. Only a read before any
/// write counts, and nil is the empty list. Reads that are `ambiguous`, since they do not tell
/// which version they saw, are left out. O(operations log operations).
[[nodiscard]] std::vector<Anomaly> lost_updates(const History& history,
                                                const std::function<bool(Op read)>& ambiguous);

}  // namespace elapid
