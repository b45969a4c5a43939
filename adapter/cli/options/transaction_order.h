// --transaction-order: Elle's :transaction-order, an EDN map from completion index to number.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/result.h"

namespace elapid {

/// Completion index -> place in the order of transactions.
using TransactionOrder = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// `argument` is a map such as `{1 2, 3 4}`, or the name of a file with one. Error: kUsage for a
/// text that is no such map, kMalformed and kUnreadable for a file.
[[nodiscard]] Result<TransactionOrder> read_transaction_order(const std::string& argument);

}  // namespace elapid
