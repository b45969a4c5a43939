// All findings about a history of logs, as data.
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

/// Acknowledged messages that no operation polled until the end of the history.
///
///   {:type :ok, :f :send, :value [[:send 1 [0 7]]]}   and no poll of key 1: 7 is unseen
struct UnseenMessages {
  TxnId last = {};                       ///< the last successful :send, :poll or :txn
  std::vector<MessageId> messages = {};  ///< by key, then by first appearance
};

/// O(n log n).
[[nodiscard]] UnseenMessages find_unseen(const Messages& messages, const Fates& fates);

/// The rules for errors.
struct Rules {
  bool subscribes = false;  ///< consumers may be moved between transactions, which may skip
  bool has_ww = false;      ///< the version order counts for cycles, and G1c is allowed
  bool counts_open = true;  ///< the log may hold sends of operations without a completion
  bool has_retries = true;  ///< a value that an operation failed to send may be sent again
  /// Whether fewer than two operations, which nothing can order, are an error: to Elle an empty
  /// graph is one.
  bool wants_graph = false;
};

struct Analysis {
  Messages messages;
  Fates fates;
  VersionOrders orders;
  LogErrors errors = {};
  UnseenMessages unseen = {};
  LogCycles cycles = {};
  std::optional<Lag> lag = {};
  bool lacks_graph = false;  ///< see Rules::wants_graph

  /// The sorted names of the types of errors found.
  [[nodiscard]] std::vector<std::string> error_types() const;
};

/// O(n log n) in messages and events. `keep_going` is called between the steps and in the search
/// for cycles; false leaves out the rest.
[[nodiscard]] Analysis analyse(const History& history, const Rules& rules,
                               const std::function<bool()>& keep_going);

/// Whether a history stays valid with errors of this type.
[[nodiscard]] bool is_allowed(std::string_view type, const Rules& rules);

}  // namespace elapid::kafka
