// Violations of timestamps, re-checked from the operations and timestamps of the transactions
// named.
#pragma once

#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why a violation is none, in one sentence; nothing where it is one as far as the
/// transactions that it names show. That no other transaction wrote the expected version anew, or
/// wrote the value read, is not checked. Trusts no id in the evidence. Linear in the operations of
/// the transactions.
[[nodiscard]] std::optional<std::string> check_timestamp_violation(
    const History& history, const TimestampEvidence& evidence);

}  // namespace elapid
