// Real-time order key by key: which external operations on a key follow one another directly.
#ifndef ELAPID_ENGINE_INFER_LINEARIZABLE_KEYS_H_
#define ELAPID_ENGINE_INFER_LINEARIZABLE_KEYS_H_

#include <functional>

#include "engine/infer/register_versions.h"

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

/// The same as Elle finds them: nearest later operations along any path of its real-time graph that
/// avoids the key, so that an operation may be linked past another which overlaps a path around it;
/// and the links that Elle's library adds by mistake (elle_downstream.h). The latter are left out
/// where the operations' :f is unknown or differs, and where the transactions between the first and
/// the last operation on a key, summed over the keys, are more than 20 million.
/// Costs a walk over the transactions between two operations on a key.
void each_realtime_link_of_elle(const History& history, const RegisterVersions& versions,
                                const std::function<void(const KeyTouch&, const KeyTouch&)>& link);

}  // namespace elapid

#endif  // ELAPID_ENGINE_INFER_LINEARIZABLE_KEYS_H_
