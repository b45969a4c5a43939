// The part of a list read that other transactions appended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/ir/history.h"

namespace elapid {

/// The number of the transaction's appends to the key of its operation `mop` before that operation.
[[nodiscard]] std::size_t own_appends(const History& history, TxnId txn, std::uint32_t mop);

/// The elements of others in the read at `mop`, the transaction's first read of the key: the list
/// without the transaction's own appends at its end.
[[nodiscard]] std::span<const ValueId> external_part(const History& history, TxnId txn,
                                                     std::uint32_t mop);

}  // namespace elapid
