// Transactions that an order of events may contain, and their operations.
#pragma once

#include <algorithm>
#include <span>

#include "engine/ir/history.h"

namespace elapid::certify {

/// Whether the history has this transaction and it may have taken effect.
[[nodiscard]] inline bool is_participant(const History& history, TxnId txn) {
  return txn.index() < history.txn_count() && history.status(txn) != TxnStatus::kAborted;
}

/// The operations of the transaction if it takes effect.
[[nodiscard]] inline std::span<const Op> effective_ops(const History& history, TxnId txn) {
  return history.ops(txn);
}

/// Whether the result of a read is known. In a transaction that did not commit, nil is no result. A
/// compare-and-set that took effect found what it expects, be it answered or not.
[[nodiscard]] inline bool is_answered(const History& history, TxnId txn, Op op) {
  return op.kind() == OpKind::kReadList ||
         (op.kind() == OpKind::kRead && (history.committed(txn) || !op.value().is_nil()));
}

/// Whether the transaction writes anything.
[[nodiscard]] inline bool writes_something(const History& history, TxnId txn) {
  return std::ranges::any_of(effective_ops(history, txn), [](Op op) { return op.is_write(); });
}

/// Whether the first transaction completed before the second was invoked, by the history's clock.
[[nodiscard]] inline bool precedes_in_real_time(const History& history, TxnId first, TxnId second) {
  return history.info().has_real_time && history.committed(first) &&
         history.has_invocation(second) &&
         history.completion_id(first) < history.invocation_id(second);
}

/// Whether the first transaction committed before the second in the same session. The transactions
/// of a session are numbered in session order.
[[nodiscard]] inline bool precedes_in_session(const History& history, TxnId first, TxnId second) {
  return history.committed(first) && first < second &&
         history.session(first) == history.session(second);
}

}  // namespace elapid::certify
