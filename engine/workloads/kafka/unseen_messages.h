// Messages that were acknowledged and that no operation polled, until the end of the history.
//
//   {:type :ok, :f :send, :value [[:send 1 [0 7]]]}   and no poll of key 1: 7 is unseen
#pragma once

#include <vector>

#include "engine/workloads/kafka/fates.h"

namespace elapid::kafka {

struct UnseenMessages {
  TxnId last = {};                       ///< the last :send, :poll or :txn that succeeded
  std::vector<MessageId> messages = {};  ///< by key, then in the order in which they appeared
};

/// O(n log n).
[[nodiscard]] UnseenMessages find_unseen(const Messages& messages, const Fates& fates);

}  // namespace elapid::kafka
