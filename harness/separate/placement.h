// The ways to spread transactions over sessions and time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/separate/small_shape.h"

namespace elapid {

/// For each transaction those that come before it, as bits.
using Before = std::array<std::uint8_t, kSmallTxns>;

struct SmallPlacement {
  std::vector<std::size_t> sessions = {};  ///< of each transaction
  /// The transactions in the order in which they are invoked and complete: each number comes twice.
  std::vector<std::size_t> steps = {};
  Before before = {};  ///< in real time, and so in each session
};

/// Placements of so many transactions, between which levels can tell a difference; those with many
/// sessions first:
///
/// - in any sessions, with as little order in time as these allow;
/// - `with_times`: in sessions of their own, in each order that intervals of time can have.
///
/// No more are needed to separate a level A from a level B. If B looks at real time, sessions can
/// be left out: A allows no less without them, and B forbids what it did, since it takes session
/// order from time. If B does not, less order in time changes nothing for B, and A allows no less.
[[nodiscard]] std::vector<SmallPlacement> all_placements(std::size_t txns, bool with_times);

}  // namespace elapid
