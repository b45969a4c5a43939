// Re-checks a proof that a history satisfies a saturable level (models.h): a commit order, and the
// writer that each read saw.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why the order does not show that the history satisfies the level, in one
/// sentence; nothing if it does. It does if
///
/// - it has all committed transactions, no aborted ones, and any of the indeterminate ones;
/// - writers come before their readers, and session order and real time are kept if the level has
///   them;
/// - every external read, in the order of operations, shows what the writer named for it left
///   behind;
/// - no writer of a key that is visible to a read comes after the writer that the read saw.
///
/// Trusts nothing in the witness. Linear in the operations; those of a transaction
/// count for each transaction that read from it; times the sessions at causal
/// consistency.
[[nodiscard]] std::optional<std::string> check_commit_order(
    const History& history, OrderLevel level, const Witness& witness,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
