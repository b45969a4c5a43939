// Parts of a history around some of its transactions, each part larger than the previous one.
#pragma once

#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// Sets of transactions, ascending, none of them the whole history:
/// - the named transactions,
/// - with the writers of the versions that they read,
/// - with the writers of the elements of the lists that they read,
/// - with all transactions that touch one of their keys.
/// O(operations and elements read).
[[nodiscard]] std::vector<std::vector<TxnId>> neighbourhoods(const History& history,
                                                             std::span<const TxnId> named);

}  // namespace elapid
