// All that is found in a history of logs, before it is put into words.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/workloads/kafka/fates.h"
#include "engine/workloads/kafka/log_cycles.h"
#include "engine/workloads/kafka/log_error.h"
#include "engine/workloads/kafka/realtime_lag.h"
#include "engine/workloads/kafka/version_order.h"

namespace elapid::kafka {

/// Messages that were acknowledged and that no operation polled, until the end of the history.
///
///   {:type :ok, :f :send, :value [[:send 1 [0 7]]]}   and no poll of key 1: 7 is unseen
struct UnseenMessages {
  TxnId last = {};                       ///< the last :send, :poll or :txn that succeeded
  std::vector<MessageId> messages = {};  ///< by key, then in the order in which they appeared
};

/// O(n log n).
[[nodiscard]] UnseenMessages find_unseen(const Messages& messages, const Fates& fates);

/// What counts as an error.
struct Rules {
  bool subscribes = false;  ///< consumers may be moved between transactions: these may skip
  bool has_ww = false;      ///< the version order counts for cycles, and G1c is allowed
  bool counts_open = true;  ///< what an operation without a completion sends may be in the log
};

struct Analysis {
  Messages messages;
  Fates fates;
  VersionOrders orders;
  LogErrors errors = {};
  UnseenMessages unseen = {};
  LogCycles cycles = {};
  std::optional<Lag> lag = {};

  /// Names of the types of errors that were found, sorted.
  [[nodiscard]] std::vector<std::string> error_types() const;
};

/// O(n log n) in messages and events. `keep_going` is asked between the steps and in the search for
/// cycles; false leaves the rest out.
[[nodiscard]] Analysis analyse(const History& history, const Rules& rules,
                               const std::function<bool()>& keep_going);

/// Whether errors of this type do not make a history invalid.
[[nodiscard]] bool is_allowed(std::string_view type, const Rules& rules);

}  // namespace elapid::kafka
