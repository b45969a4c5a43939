// The ways to assign transactions to sessions and times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/separate/small_shape.h"

namespace elapid {

/// For each transaction, its predecessors as bits.
using Before = std::array<std::uint8_t, kSmallTxns>;

struct SmallPlacement {
  std::vector<std::size_t> sessions = {};  ///< by transaction
  /// The begins and ends of transactions in order: each number comes twice.
  std::vector<std::size_t> steps = {};
  Before before = {};  ///< the order of real time, which contains session order
};

/// All placements of this many transactions that levels can distinguish; those with the most
/// sessions first:
///
/// - in any sessions, with as little order in time as these allow;
/// - `with_times`: each in a session of its own, in each order that time intervals can have.
///
/// More are not needed to separate a level A from a level B. If B includes real time, sessions are
/// not needed: without them A allows no less, and B still forbids the history, since time implies
/// session order. If B does not, less order in time changes nothing for B, and A allows no less.
[[nodiscard]] std::vector<SmallPlacement> all_placements(std::size_t txns, bool with_times);

}  // namespace elapid
