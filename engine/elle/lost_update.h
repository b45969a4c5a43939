// Lost updates as Elle counts them (docs/elle-rules.md).
#pragma once

#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// Versions that two or more committed transactions read, each of which then wrote the key. A read
/// counts even after a blind write; nil and the empty list are two versions. One anomaly a version,
/// by key and version. O(operations log operations).
void find_lost_updates(const History& history, std::vector<Anomaly>& out);

}  // namespace elapid::elle
