// Verifies the order of a linearizable history by code of its own: it replays the operations one
// after another on a plain object.
//
//   enqueue 1 [0, 2], enqueue 2 [1, 3], dequeue 2 [4, 5]
//   {1, 0, 2} is an order: enqueue 2, enqueue 1, dequeue 2
//   {0, 1, 2} is none: dequeue 2 finds 1
//   {2, 1, 0} is none: dequeue 2 was invoked after enqueue 2 returned
//
// Walking along the order, M is the latest invocation so far. An operation that returned before M
// would have to come before one that it follows. So each next one must return after M. O(n), and
// what the object takes.
#pragma once

#include <cstdint>
#include <span>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

/// An object that operations change, written as plainly as possible.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  virtual ~Replay() = default;

  /// Carries out the operation; false if it is not possible now. An operation without a result may
  /// have any. `place` is that in the Operations.
  virtual bool apply(const Operation& op, std::uint32_t place) = 0;
};

/// Whether the order has each completed operation once, each open one at most once, keeps to real
/// time, and is possible for the object, which is fresh.
[[nodiscard]] bool is_order_of(const Operations& operations, std::span<const std::uint32_t> order,
                               Replay& replay);

}  // namespace elapid::linearize
