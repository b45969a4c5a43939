// Violations of timestamps, re-checked from the operations and timestamps of the transactions
// named.
#ifndef ELAPID_ENGINE_CERTIFY_TIMESTAMP_VIOLATION_H_
#define ELAPID_ENGINE_CERTIFY_TIMESTAMP_VIOLATION_H_

#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Why a violation is none, in one sentence; nothing where it is one, as far as the transactions
/// that it names show: not that nobody else wrote the expected version anew, nor that nobody else
/// wrote the value read. Trusts no id in the evidence. Linear in the operations of the
/// transactions.
[[nodiscard]] std::optional<std::string> check_timestamp_violation(
    const History& history, const TimestampEvidence& evidence);

}  // namespace elapid

#endif  // ELAPID_ENGINE_CERTIFY_TIMESTAMP_VIOLATION_H_
