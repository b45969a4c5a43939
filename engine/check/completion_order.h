// An order of commits that costs little to guess: that in which transactions completed.
//
// A database that answers as it commits has committed in this order. A serializable transaction
// that only reads may have had an older snapshot: it stands behind the last transaction that it
// read from. One of unknown outcome that was read from stands before its first reader. Whether the
// order serves all levels is for others to say (engine/certify/orders/mixed_order.h).
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Requires completions. O(n log n) in transactions, and linear in operations.
[[nodiscard]] Witness completion_order(const History& history, const TxnLevels& levels);

}  // namespace elapid
