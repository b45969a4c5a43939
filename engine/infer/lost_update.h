// Lost updates: two committed transactions that read one version of a key and both wrote the next.
#ifndef ELAPID_ENGINE_INFER_LOST_UPDATE_H_
#define ELAPID_ENGINE_INFER_LOST_UPDATE_H_

#include <functional>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict.h"

namespace elapid {

struct LostUpdateOptions {
  bool elle_compat = false;
  /// Reads that do not tell which version they saw are left out. By default every read tells.
  std::function<bool(Op read)> ambiguous = {};
};

/// All lost updates, one anomaly a version, ordered by key and version. O(operations log
/// operations).
///
/// Elle's rule (elle-semantics.md, B.10) counts the first read of the key, even after a blind
/// write, and tells nil from the empty list. Otherwise only a read before any write counts, and nil
/// is the empty list.
[[nodiscard]] std::vector<Anomaly> lost_updates(const History& history,
                                                const LostUpdateOptions& options);

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_LOST_UPDATE_H_
