// Re-checks a proof of validity: executes the transactions again in the given order. Each read must
// return its result in the history.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why the order does not show that the history satisfies the level, in one sentence;
/// nothing if it does. It does if it has all committed transactions, no aborted ones, and any of
/// the indeterminate ones; if it keeps session order and real time as the level does, and at
/// snapshot isolation the writers of each key apart; and if every read returns its recorded result.
///
/// The order must satisfy the `assumptions` about registers' keys too. Trusts nothing in the
/// witness. Linear in the operations while the lists read are prefixes of one another; 8 bytes a
/// transaction, 4 a write and 32 a key. Calls `keep_going` now and then: see certify.h.
[[nodiscard]] std::optional<std::string> check_witness(
    const History& history, OrderLevel level, const Witness& witness,
    const Assumptions& assumptions = {}, const std::function<bool()>& keep_going = {});

}  // namespace elapid
