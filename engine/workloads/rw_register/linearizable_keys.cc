#include "engine/workloads/rw_register/linearizable_keys.h"

#include <vector>

#include "engine/infer/order.h"

namespace elapid {

void each_realtime_link(const History& history, const RegisterVersions& versions,
                        const std::function<void(const KeyTouch&, const KeyTouch&)>& link) {
  std::vector<std::vector<KeyTouch>> done(
      history.key_count());  // completed, and not followed completely
  EventOrder(history).each([&](TxnId txn, EventKind kind) {
    if (!versions.believed(txn)) {
      return;
    }
    for (const ExternalOp& op : versions.external().of(txn)) {
      std::vector<KeyTouch>& before = done[op.key.index()];
      if (kind == EventKind::kInvocation) {
        for (const KeyTouch& earlier : before) {
          link(earlier, {txn, op});
        }
      } else if (history.committed(txn)) {
        if (history.has_invocation(txn)) {
          const EventId invoked = history.invocation_id(txn);
          std::erase_if(before,
                        [&](const KeyTouch& t) { return history.completion_id(t.txn) < invoked; });
        }
        before.push_back({txn, op});
      }
    }
  });
}

}  // namespace elapid
