// Memory for the contents of pages.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <mutex>
#include <new>

namespace elapid {

/// Blocks of a few sizes, from slabs that the system maps by huge pages if it can. The pages of a
/// stream are accessed in random order, and are too many for the processor's address cache: without
/// this pool, address look-ups take a tenth of the time. Freed blocks are reused; slabs are never
/// freed. Thread-safe.
class PagePool {
 public:
  /// The pool of the process.
  static PagePool& instance();

  /// A block of at least this many bytes, aligned for any type.
  [[nodiscard]] void* take(std::size_t bytes);

  /// Frees a block of take(), with the same number of bytes.
  void give(void* block, std::size_t bytes);

 private:
  /// For blocks that are not small and many, and not larger than a nearly full page.
  static constexpr std::array<std::size_t, 6> kSizes = {2048, 3072, 4096, 6144, 8192, 12544};
  static constexpr std::size_t kSlab = std::size_t{1} << 21;  // size of a huge page

  struct Free {
    Free* next = nullptr;
  };

  static std::size_t class_of(std::size_t bytes);
  [[nodiscard]] void* cut(std::size_t bytes);

  std::mutex mutex_;
  std::array<Free*, kSizes.size()> free_ = {};
  std::byte* rest_ = nullptr;  // of the last slab
  std::size_t rest_size_ = 0;
};

/// An allocator for standard containers.
template <class T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;

  template <class U>
  PageAllocator(const PageAllocator<U>& /*other*/) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(PagePool::instance().take(count * sizeof(T)));
  }

  void deallocate(T* block, std::size_t count) {
    PagePool::instance().give(block, count * sizeof(T));
  }

  friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }
};

}  // namespace elapid
