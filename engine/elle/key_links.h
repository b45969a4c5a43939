// Pairs of external operations that Elle takes as direct successors on a key: along sessions, and
// along real time.
#pragma once

#include <functional>

#include "engine/elle/register_ops.h"
#include "engine/ir/history.h"

namespace elapid::elle {

/// An external operation of a transaction on a key.
struct KeyTouch {
  TxnId txn;
  RegisterOp op;
};

using KeyLink = std::function<void(const KeyTouch& earlier, const KeyTouch& later)>;

// Elle stops at the next operation on a key. For the keys nil and false, it continues: there all
// later operations follow.

/// Links committed operations of each session, in session order.
void each_session_link(const History& history, const RegisterOps& ops, const KeyLink& link);

/// Links the nearest later operations along any path of Elle's real-time graph that avoids the key,
/// so an operation may be linked past another one that overlaps a path around it; and adds the
/// links that Elle's library adds by mistake (downstream.h). The latter are left out if the
/// operations' :f is unknown or differs, or if the transactions between the first and the last
/// operation on a key, summed over keys, exceed 20 million. Costs a walk over the transactions
/// between two operations on a key.
void each_realtime_link(const History& history, const RegisterOps& ops, const KeyLink& link);

}  // namespace elapid::elle
