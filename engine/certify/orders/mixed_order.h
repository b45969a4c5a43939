// Re-checks a commit order that is to show that each transaction reads what its own level allows.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// The reason why the order does not show it, in one sentence; nothing where it does. It does if
///
/// - all committed transactions are in it, no aborted ones, and any of the indeterminate ones;
/// - a recorded initial transaction is first; session order and real time are kept towards each
///   transaction whose level asks for them;
/// - each external read shows what an earlier transaction left behind, or the initial state; where
///   several may have been seen, the witness names one, for each read of the key;
/// - by the reader's level no writer of the key that is visible to it comes after that one. Visible
///   are those before the reader (serializable; cursor stability, of keys that it writes), those up
///   to the last one that it depends on (prefix, and snapshot isolation, where writers of its keys
///   before it count as well), those that lead to it (causal) at once (read atomic), and those that
///   it read from before (read committed with sessions, and monotonic view).
///
/// Trusts nothing in the witness. Near linear in the operations; at causal consistency times the
/// transactions between a read and what it saw.
[[nodiscard]] std::optional<std::string> check_mixed_order(
    const History& history, const TxnLevels& levels, const Witness& witness,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
