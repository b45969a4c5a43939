// The part of a list read that is not the reader's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/ir/history.h"

namespace elapid {

/// Appends of the transaction to the key of its operation `mop`, before that.
[[nodiscard]] std::size_t own_appends(const History& history, TxnId txn, std::uint32_t mop);

/// The elements of others that the read at `mop` shows, the first read of the key in its
/// transaction; it ends in what the transaction had appended.
[[nodiscard]] std::span<const ValueId> external_part(const History& history, TxnId txn,
                                                     std::uint32_t mop);

}  // namespace elapid
