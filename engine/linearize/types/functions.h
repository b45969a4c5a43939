// What the number `f` of an operation means, type by type.
//
//   a counter: {f = kAdd, argument = 2}, {f = kRead, result = 2}
#pragma once

#include <cstdint>

namespace elapid::linearize {

/// Queues, bags, stacks, priority queues: container.h.
enum class ContainerF : std::uint8_t { kAdd, kRemove };

/// An add has its element as argument.
enum class GrowOnlySetF : std::uint8_t { kAdd, kRead };

/// The argument is the owner, or none() where locks have none.
enum class LockF : std::uint8_t { kAcquire, kRelease };

/// An add has its delta as argument, a read the sum as result.
enum class CounterF : std::uint8_t { kAdd, kRead };

/// The argument is the element; the result true or false, or none() if there is none.
enum class SetF : std::uint8_t { kAdd, kRemove, kContains };

/// The argument is the text or value to write; the result what a get shows.
enum class KvF : std::uint8_t { kGet, kPut, kAppend, kDelete };

}  // namespace elapid::linearize
