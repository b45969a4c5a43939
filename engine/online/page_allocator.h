// Memory for what pages hold.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <mutex>
#include <new>

namespace elapid {

/// Blocks of a few sizes, cut from slabs that the system maps by huge pages if it can. The pages of
/// a stream are touched all over, and are more than the processor remembers the places of: without
/// this, a tenth of the time goes into looking these up. Blocks that are given back are used again;
/// slabs stay. For any thread.
class PagePool {
 public:
  /// That of the process.
  static PagePool& instance();

  /// A block of at least so many bytes, aligned for whatever there is.
  [[nodiscard]] void* take(std::size_t bytes);

  /// Gives back what take() was asked for with that number of bytes.
  void give(void* block, std::size_t bytes);

 private:
  /// Of what is not so small that it is many, and not larger than a page that is about full.
  static constexpr std::array<std::size_t, 6> kSizes = {2048, 3072, 4096, 6144, 8192, 12544};
  static constexpr std::size_t kSlab = std::size_t{1} << 21;  // as a huge page

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

/// For the standard's containers.
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
