// Re-checks a proof of validity: the transactions are carried out again in the order given, and
// each read must return what it did in the history.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Why the order does not show that the history satisfies the level, in one sentence; nothing where
/// it does. It does if all committed transactions are in it, no aborted ones, and any of the
/// indeterminate ones; if it keeps session order and real time where the level does, and at
/// snapshot isolation the writers of each key apart; and if every read in it returns what it did.
///
/// `assumptions` about the keys of registers must hold in it, too. Trusts nothing in the witness.
/// Linear in the operations as long as lists that were read are prefixes of one another; 8 bytes a
/// transaction, 4 a write and 32 a key. `keep_going` is asked now and then: see certify.h.
[[nodiscard]] std::optional<std::string> check_witness(
    const History& history, OrderLevel level, const Witness& witness,
    const Assumptions& assumptions = {}, const std::function<bool()>& keep_going = {});

}  // namespace elapid
