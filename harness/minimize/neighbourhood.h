// Parts of a history around some of its transactions, each larger than the one before.
#pragma once

#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// Sets of transactions, ascending, none of them all there are:
/// - the named ones,
/// - and who wrote the versions that they read,
/// - and who wrote the elements of the lists that they read,
/// - and all that have to do with one of their keys.
/// O(operations and elements read).
[[nodiscard]] std::vector<std::vector<TxnId>> neighbourhoods(const History& history,
                                                             std::span<const TxnId> named);

}  // namespace elapid
