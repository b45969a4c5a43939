#include "engine/online/page_allocator.h"

#include <sys/mman.h>

#include <algorithm>

namespace elapid {

namespace {

/// AddressSanitizer sees mistakes only in blocks that it allocates itself.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kPoolsPages = false;
#else
constexpr bool kPoolsPages = true;
#endif

}  // namespace

PagePool& PagePool::instance() {
  static PagePool* const pool = new PagePool();  // pages may outlive whatever has a destructor
  return *pool;
}

/// The size to which bytes are rounded up; none of kSizes if they are few or many.
std::size_t PagePool::class_of(std::size_t bytes) {
  const bool is_pooled = kPoolsPages && bytes > kSizes.front() / 2;
  const auto found = std::ranges::lower_bound(kSizes, bytes);
  return is_pooled ? static_cast<std::size_t>(found - kSizes.begin()) : kSizes.size();
}

void* PagePool::take(std::size_t bytes) {
  const std::size_t index = class_of(bytes);
  if (index == kSizes.size()) {
    return ::operator new(bytes);
  }
  const std::lock_guard lock(mutex_);
  Free*& first = free_.at(index);
  if (first == nullptr) {
    return cut(kSizes.at(index));
  }
  Free* const block = first;
  first = block->next;
  return block;
}

void PagePool::give(void* block, std::size_t bytes) {
  const std::size_t index = class_of(bytes);
  if (index == kSizes.size()) {
    ::operator delete(block);
    return;
  }
  const std::lock_guard lock(mutex_);
  free_.at(index) = new (block) Free{free_.at(index)};
}

/// Of the last slab, or a new one.
void* PagePool::cut(std::size_t bytes) {
  if (rest_size_ < bytes) {
    rest_ = static_cast<std::byte*>(::operator new(kSlab, std::align_val_t(kSlab)));
    rest_size_ = kSlab;
    (void)::madvise(rest_, kSlab, MADV_HUGEPAGE);  // only a wish
  }
  void* const block = rest_;
  rest_ += bytes;
  rest_size_ -= bytes;
  return block;
}

}  // namespace elapid
