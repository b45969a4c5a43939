// Dirty updates along a version order (docs/elle-rules.md). Example: T1 appends 1 and aborts, T2
// appends 2 and commits, and a read shows [1 2]: T2 built on an aborted version.
#pragma once

#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A walk along the versions of a key. It finds each committed version that builds on an aborted
/// one. Appends its findings to `out`; refers to both arguments.
class DirtyWalk {
 public:
  DirtyWalk(const History& history, KeyId key, std::vector<Anomaly>& out)
      : history_(history), key_(key), out_(out) {}

  /// Goes on to the next element. `writer` appended it.
  void step(ValueId element, TxnId writer);

  /// Goes on to an element whose writer is unknown. Nothing follows from the elements before it.
  void forget();

 private:
  const History& history_;
  KeyId key_;
  std::vector<Anomaly>& out_;
  TxnId aborted_;
  std::vector<ValueId> values_;  // since the last decided version, that one included
};

}  // namespace elapid
