// A vector of plain values that can grow to the size of a long transaction without a second copy in
// memory.
//
// ```cpp
// GrowingVector<ValueId> values;
// values.push_back(ValueId::integer(7));
// CHECK(values.size() == 1);
// CHECK(values.back() == ValueId::integer(7));
// ```
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace elapid {

/// Like std::vector, but a large block grows in place: the system moves its pages, not its bytes.
/// std::vector copies its elements when it grows, so old and new are both in memory for a moment.
/// Space that was never written takes no memory. References are valid until the next element is
/// added. Throws std::bad_alloc.
template <class T>
class GrowingVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= alignof(std::max_align_t));

 public:
  GrowingVector() = default;
  GrowingVector(const GrowingVector&) = delete;
  GrowingVector& operator=(const GrowingVector&) = delete;

  GrowingVector(GrowingVector&& other) noexcept { swap(other); }

  GrowingVector& operator=(GrowingVector&& other) noexcept {
    GrowingVector taken(std::move(other));
    swap(taken);
    return *this;
  }

  ~GrowingVector() { std::free(values_); }

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] bool empty() const { return size_ == 0; }

  /// Keeps the memory.
  void clear() { size_ = 0; }

  void swap(GrowingVector& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  // By value, since growing may move an element of this vector. Forced inline, since it is short
  // and readers call it for each element.
  [[gnu::always_inline]] void push_back(T value) {
    if (size_ == capacity_) {
      grow(size_ + 1);
    }
    new (values_ + size_++) T(value);
  }

  /// Adds values, which must not be elements of this vector.
  void append(std::span<const T> values) {
    if (capacity_ - size_ < values.size()) {
      grow(size_ + values.size());
    }
    std::uninitialized_copy(values.begin(), values.end(), values_ + size_);
    size_ += values.size();
  }

  /// Replaces all elements by these values.
  void assign(std::span<const T> values) {
    clear();
    append(values);
  }

  [[nodiscard]] T& operator[](std::size_t i) { return values_[i]; }

  [[nodiscard]] const T& operator[](std::size_t i) const { return values_[i]; }

  [[nodiscard]] T& back() { return values_[size_ - 1]; }

  [[nodiscard]] T* data() { return values_; }

  [[nodiscard]] const T* data() const { return values_; }

  [[nodiscard]] T* begin() { return values_; }

  [[nodiscard]] T* end() { return values_ + size_; }

  [[nodiscard]] const T* begin() const { return values_; }

  [[nodiscard]] const T* end() const { return values_ + size_; }

 private:
  [[gnu::noinline]] void grow(std::size_t least) {
    constexpr std::size_t kFewest = 8;
    const std::size_t capacity = std::max({least, capacity_ * 2, kFewest});
    if (capacity > static_cast<std::size_t>(-1) / sizeof(T)) {
      throw std::bad_alloc();
    }
    void* const values = std::realloc(static_cast<void*>(values_), capacity * sizeof(T));
    if (values == nullptr) {
      throw std::bad_alloc();
    }
    values_ = static_cast<T*>(values);
    capacity_ = capacity;
  }

  T* values_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace elapid
