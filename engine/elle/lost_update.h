// Lost updates by Elle's rules (docs/elle-rules.md).
#pragma once

#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// One anomaly for each version that at least two committed transactions read before they wrote the
/// key, by key and version. A read counts even after a blind write. nil and the empty list are two
/// versions. O(operations log operations).
void find_lost_updates(const History& history, std::vector<Anomaly>& out);

}  // namespace elapid::elle
