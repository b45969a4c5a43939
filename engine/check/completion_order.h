// An order of commits that is cheap to guess: the order in which transactions completed.
//
// A database that answers as it commits has committed in this order. A serializable transaction
// that only reads may have had an older snapshot: it comes right after the last transaction that it
// read from. An indeterminate transaction that was read from comes before its first reader.
// engine/certify/orders/mixed_order.h decides whether the order satisfies all levels.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Requires completions. O(n log n) in transactions, linear in operations.
[[nodiscard]] Witness completion_order(const History& history, const TxnLevels& levels);

}  // namespace elapid
