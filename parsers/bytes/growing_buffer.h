// Bytes that can grow to the size of a long line without a second copy.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

namespace elapid {

/// Large blocks grow in place: the system moves their pages, not their bytes. Unwritten bytes take
/// no memory.
class GrowingBuffer {
 public:
  explicit GrowingBuffer(std::size_t size) { resize(size); }

  GrowingBuffer(const GrowingBuffer&) = delete;
  GrowingBuffer& operator=(const GrowingBuffer&) = delete;

  ~GrowingBuffer() { std::free(bytes_); }

  /// Keeps the present bytes. Throws std::bad_alloc.
  void resize(std::size_t size) {
    void* const bytes = std::realloc(bytes_, size);
    if (bytes == nullptr) {
      throw std::bad_alloc();
    }
    bytes_ = static_cast<char*>(bytes);
  }

  [[nodiscard]] char* get() const { return bytes_; }

 private:
  char* bytes_ = nullptr;
};

/// The next size of a window that is too small.
constexpr std::size_t grown(std::size_t size) {
  return size + size / 2;
}

}  // namespace elapid
