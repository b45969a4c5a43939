// An order of the values of a queue such that none comes before one that must be first.
//
//   enqueue 1 before enqueue 2, dequeue 2 before dequeue 1    none: the two values in each other's
//                                                             way
//
// See fifo_queue.h for what must be first and for the proof. O(n log n).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/types/container.h"

namespace elapid::linearize {

/// The remove of a value at an end that is later than all instants and earlier than never.
inline constexpr std::uint32_t kLast = kNever - 1;

/// A remove that found nothing, at a gap between instants (cover.h).
struct EmptyAt {
  std::uint32_t gap;
  std::uint32_t place;

  friend auto operator<=>(const EmptyAt&, const EmptyAt&) = default;
};

struct ValueOrder {
  /// Places in the stays; kNoPlace stands for the next remove that found nothing.
  std::vector<std::uint32_t> order;
  /// If there is none: the add of `first` comes before that of `second`, and the remove of `second`
  /// before that of `first`.
  bool is_found = false;
  std::uint32_t first = kNoPlace;
  std::uint32_t second = kNoPlace;
};

/// Requires the stays by add_from, the empty ones by gap, each at a gap where nothing is inside.
[[nodiscard]] ValueOrder value_order(const std::vector<Stay>& stays,
                                     const std::vector<EmptyAt>& empty);

}  // namespace elapid::linearize
