// A vector that does not initialise elements when it grows. The thread that fills a part touches
// its memory first, so threads share the system's clearing of fresh pages too.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace elapid {

/// Leaves an element as it is if no value is given.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };

  template <class U>
  void construct(U* /*at*/) const noexcept {}

  template <class U, class... Values>
  void construct(U* at, Values&&... values) const {
    std::construct_at(at, std::forward<Values>(values)...);
  }
};

/// Every element must be set before it is read.
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace elapid
