// Which transactions took effect, as far as evidence may rely on it.
//
// Committed transactions did. An indeterminate one did if a trusted transaction read a value that
// only it can have written. A register's initial value and an empty list (nil) are never such a
// value. Elle believes all completed transactions, and its anomalies are re-checked likewise.
#pragma once

#include <vector>

#include "engine/certify/operations/writers.h"
#include "engine/ir/history.h"

namespace elapid::certify {

/// By transaction, whether it is trusted. Every element of a key's longest lists is looked at once.
[[nodiscard]] std::vector<bool> trusted_transactions(const History& history, const Writers& writers,
                                                     bool list_append, bool elle_compat);

}  // namespace elapid::certify
