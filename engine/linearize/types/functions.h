// The meaning of the number `f` of an operation, for each type.
//
//   a counter: {f = kAdd, argument = 2}, {f = kRead, result = 2}
#pragma once

#include <cstdint>

namespace elapid::linearize {

/// Queues, bags, stacks, priority queues: container.h.
enum class ContainerF : std::uint8_t { kAdd, kRemove };

/// The argument of an add is the element.
enum class GrowOnlySetF : std::uint8_t { kAdd, kRead };

/// The argument is the owner, nil if it may be any, or none() for locks without owners.
enum class LockF : std::uint8_t { kAcquire, kRelease };

/// The argument of an add is the delta; the result of a read is the sum.
enum class CounterF : std::uint8_t { kAdd, kRead };

/// The argument is the element; the result is true, false, or none() for no result.
enum class SetF : std::uint8_t { kAdd, kRemove, kContains };

/// The argument is the text or value to write; the result is the answer of a get.
enum class KvF : std::uint8_t { kGet, kPut, kAppend, kDelete };

}  // namespace elapid::linearize
