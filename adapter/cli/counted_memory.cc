// The program's memory, allocated through the account of engine/ir/memory_account.h: each
// allocation of a thread with a limit counts towards that limit. Sanitizers allocate memory
// themselves.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <malloc.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "engine/ir/memory_account.h"

namespace {

namespace account = elapid::memory_account;

/// Null if the limit of this thread, or the system, does not allow the bytes.
void* take(std::size_t bytes, std::size_t alignment) {
  if (!account::may_take(bytes)) {
    return nullptr;
  }
  void* const memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(bytes == 0 ? 1 : bytes)
          : std::aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
  if (memory != nullptr) {
    account::note_taken(malloc_usable_size(memory));
  }
  return memory;
}

void* take_or_throw(std::size_t bytes, std::size_t alignment) {
  for (;;) {
    if (void* const memory = take(bytes, alignment)) {
      return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
}

void give_back(void* memory) noexcept {
  if (memory != nullptr) {
    account::note_returned(malloc_usable_size(memory));
    std::free(memory);
  }
}

}  // namespace

// The forms for arrays and the nothrow forms call these.

void* operator new(std::size_t bytes) {
  return take_or_throw(bytes, alignof(std::max_align_t));
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take_or_throw(bytes, static_cast<std::size_t>(alignment));
}

void operator delete(void* memory) noexcept {
  give_back(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  give_back(memory);
}

void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  give_back(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  give_back(memory);
}

#endif
