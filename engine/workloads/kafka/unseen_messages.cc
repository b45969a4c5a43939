#include "engine/workloads/kafka/unseen_messages.h"

#include <algorithm>

namespace elapid::kafka {

UnseenMessages find_unseen(const Messages& messages, const Fates& fates) {
  UnseenMessages unseen;
  const History& history = messages.history();
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.committed(txn) && messages.is_txn(txn)) {
      unseen.last = txn;
    }
  }
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    if (fates.is_acknowledged(m) && !fates.is_polled(m)) {
      unseen.messages.push_back(m);
    }
  }
  std::ranges::stable_sort(unseen.messages, {}, [&](MessageId m) { return messages.key(m); });
  return unseen;
}

}  // namespace elapid::kafka
