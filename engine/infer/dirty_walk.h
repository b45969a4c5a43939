// Dirty updates along a version order (docs/elle-rules.md).
#ifndef ELAPID_ENGINE_INFER_DIRTY_WALK_H_
#define ELAPID_ENGINE_INFER_DIRTY_WALK_H_

#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A walk along the versions of a key: which aborted version, if any, the next committed one builds
/// on. Appends what it finds to `out`; both arguments are borrowed.
class DirtyWalk {
 public:
  DirtyWalk(const History& history, KeyId key, std::vector<Anomaly>& out)
      : history_(history), key_(key), out_(out) {}

  /// The next element, and who appended it.
  void step(ValueId element, TxnId writer);

  /// An element whose writer is unknown: what it was built on cannot be told.
  void forget();

 private:
  const History& history_;
  KeyId key_;
  std::vector<Anomaly>& out_;
  TxnId aborted_;
  std::vector<ValueId> values_;  // since the last decided version, that one included
};

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_DIRTY_WALK_H_
