// Re-checks violations of timestamps, from the operations and timestamps of the named
// transactions.
#pragma once

#include <optional>
#include <string>

#include "engine/certify/operations/writers.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The reason why the violation is none, in one sentence; nothing if the transactions that it
/// names show it. Not checked: that no other transaction wrote the expected version anew, or
/// wrote the value read. Trusts no id in the evidence. Linear in the operations of the
/// transactions.
[[nodiscard]] std::optional<std::string> check_timestamp_violation(
    const History& history, const TimestampEvidence& evidence);

namespace certify {

/// The same, and that no writes whose time is unknown explain the read: those of transactions
/// without a commit timestamp may have taken effect at any time. O(log writes) for a value or
/// element read.
[[nodiscard]] std::optional<std::string> check_timestamp_violation(
    const History& history, const Writers& writers, const TimestampEvidence& evidence);

}  // namespace certify

}  // namespace elapid
