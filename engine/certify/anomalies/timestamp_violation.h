// Re-checks violations of timestamps, from the operations and timestamps of the named
// transactions.
#pragma once

#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why the violation is none, in one sentence; nothing if the transactions that it
/// names show it. Not checked: that no other transaction wrote the expected version anew, or
/// wrote the value read. Trusts no id in the evidence. Linear in the operations of the
/// transactions.
[[nodiscard]] std::optional<std::string> check_timestamp_violation(
    const History& history, const TimestampEvidence& evidence);

}  // namespace elapid
