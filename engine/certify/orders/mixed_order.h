// Re-checks a commit order in which each transaction reads what its own level allows.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// The reason why the order does not show this, in one sentence; nothing if it does. It does if
///
/// - it has all committed transactions, no aborted ones, and any of the indeterminate ones;
/// - a recorded initial transaction is first; session order and real time are kept towards each
///   transaction whose level asks for them;
/// - each external read shows the version of an earlier transaction, or the initial state; if it
///   may have seen several writers, the witness names one, for each read of the key;
/// - no writer of the key that the reader's level makes visible comes after that one. Visible are
///   the transactions before the reader (serializable; for cursor stability, of keys that it
///   writes), up to the last one on which it depends (prefix, and snapshot isolation, where writers
///   of its keys before it count too), that lead to it (causal), at once (read atomic), and from
///   which it read before (read committed with sessions, and monotonic view).
///
/// Trusts nothing in the witness. Near linear in the operations; at causal consistency times the
/// transactions between a read and the version that it saw.
[[nodiscard]] std::optional<std::string> check_mixed_order(
    const History& history, const TxnLevels& levels, const Witness& witness,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
