// The invocations and returns of operations in order of time.
//
//   write 1 [0, 4]   read 1 [2, 6]     invoke write, invoke read, return write, return read
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

struct OperationEvent {
  std::uint32_t instant;
  std::uint32_t place;
  bool is_return;
};

/// All events. At one instant, invocations come before returns; events of one kind stay in the
/// order of their operations. O(n) where the greatest instant is not far above the number of
/// operations, else O(n log n).
[[nodiscard]] std::vector<OperationEvent> events_of(const Operations& operations);

/// Of the operations that return. O(n).
[[nodiscard]] std::size_t most_open_at_once(const Operations& operations,
                                            const std::vector<OperationEvent>& events);

}  // namespace elapid::linearize
