// An order of the values of a queue that respects the required precedences. Example without an
// order, since each value must precede the other one:
//
//   enqueue 1 before enqueue 2, dequeue 2 before dequeue 1
//
// fifo_queue.h has the precedences and the proof. O(n log n).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/types/container.h"

namespace elapid::linearize {

/// The remove instant of a value that stays: later than all instants, earlier than kNever.
inline constexpr std::uint32_t kLast = kNever - 1;

/// A remove that found nothing, at a gap between instants (cover.h).
struct EmptyAt {
  std::uint32_t gap;
  std::uint32_t place;

  friend auto operator<=>(const EmptyAt&, const EmptyAt&) = default;
};

struct ValueOrder {
  /// Places in the stays; kNoPlace is the next remove that found nothing.
  std::vector<std::uint32_t> order;
  /// If false: the add of `first` precedes the add of `second`, and the remove of `second` precedes
  /// the remove of `first`.
  bool is_found = false;
  std::uint32_t first = kNoPlace;
  std::uint32_t second = kNoPlace;
};

/// Requires `stays` sorted by add_from, and `empty` sorted by gap. No value may surely be in the
/// queue at one of these gaps.
[[nodiscard]] ValueOrder value_order(const std::vector<Stay>& stays,
                                     const std::vector<EmptyAt>& empty);

}  // namespace elapid::linearize
