// Real-time order key by key: which external operations on a key follow one another directly.
#pragma once

#include <functional>

#include "engine/workloads/rw_register/register_versions.h"

namespace elapid {

/// An external operation of a transaction on a key.
struct KeyTouch {
  TxnId txn;
  ExternalOp op;
};

/// Calls `link(earlier, later)` for operations on one key of which the second was invoked after the
/// first, committed one completed, with no other committed operation on the key in between.
/// O(touches * concurrency on a key).
void each_realtime_link(const History& history, const RegisterVersions& versions,
                        const std::function<void(const KeyTouch&, const KeyTouch&)>& link);

}  // namespace elapid
