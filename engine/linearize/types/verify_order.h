// Verifies the order of a linearizable history by code of its own: it replays the operations one by
// one on a plain object.
//
//   enqueue 1 [0, 2], enqueue 2 [1, 3], dequeue 2 [4, 5]
//   {1, 0, 2} is an order: enqueue 2, enqueue 1, dequeue 2
//   {0, 1, 2} is none: dequeue 2 finds 1
//   {2, 1, 0} is none: dequeue 2 was invoked after enqueue 2 returned
//
// Walk along the order, and let M be the latest invocation so far. An operation that returned
// before M must precede the operation invoked at M, but follows it. So each next operation must
// return after M. O(n), and the cost of the object.
#pragma once

#include <cstdint>
#include <span>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

/// An object that operations change, in the simplest possible code.
class Replay {
 public:
  Replay() = default;
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;
  virtual ~Replay() = default;

  /// Carries out the operation; false if it is impossible now. An operation without a result may
  /// have any result. `place`: its index in the Operations.
  virtual bool apply(const Operation& op, std::uint32_t place) = 0;
};

/// Whether the order has each completed operation once, has each open one at most once, agrees with
/// real time, and is possible for the object, which must be fresh.
[[nodiscard]] bool is_order_of(const Operations& operations, std::span<const std::uint32_t> order,
                               Replay& replay);

}  // namespace elapid::linearize
