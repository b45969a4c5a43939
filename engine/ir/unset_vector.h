// A vector whose elements are not set when it is made large: what fills it touches its memory
// first. Threads that fill parts of it share the system's clearing of fresh pages, too.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace elapid {

/// Leaves elements as they are where a value is not given.
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

/// Every element has to be set before it is read.
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace elapid
