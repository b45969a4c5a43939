// Lost updates as Elle counts them (docs/elle-rules.md).
#ifndef ELAPID_ENGINE_ELLE_LOST_UPDATE_H_
#define ELAPID_ENGINE_ELLE_LOST_UPDATE_H_

#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// Versions that two or more committed transactions read, each of which then wrote the key. A read
/// counts even after a blind write; nil and the empty list are two versions. One anomaly a version,
/// by key and version. O(operations log operations).
void find_lost_updates(const History& history, std::vector<Anomaly>& out);

}  // namespace elapid::elle

#endif  // ELAPID_ENGINE_ELLE_LOST_UPDATE_H_
