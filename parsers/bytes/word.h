// Text eight bytes at a time, in a machine word.
//
// ```cpp
// const std::string text = "index 7" + std::string(kWordPadding, '\0');
// CHECK(ShortText("index ").begins(text.data()));
// CHECK(!ShortText("time ").begins(text.data()));
// ```
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace elapid {

/// The number of readable bytes after a text that is scanned word by word.
constexpr std::size_t kWordPadding = 16;

/// Eight bytes, the first of them lowest.
inline std::uint64_t word_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  return word;
}

/// At most eight bytes that are known at compile time. For six bytes GCC calls memcmp(), which
/// costs more than reading a number.
class ShortText {
 public:
  template <std::size_t bytes>
  consteval ShortText(const char (&text)[bytes])  // NOLINT(google-explicit-constructor)
      : size_(bytes - 1) {
    static_assert(bytes > 1 && bytes - 1 <= sizeof word_);
    for (std::size_t i = 0; i < size_; ++i) {
      word_ |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
      mask_ |= std::uint64_t{0xff} << (8 * i);
    }
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  /// Whether the text at `at` begins with these bytes; eight bytes must be readable.
  [[nodiscard]] bool begins(const char* at) const { return ((word_at(at) ^ word_) & mask_) == 0; }

 private:
  std::uint64_t word_ = 0;
  std::uint64_t mask_ = 0;
  std::size_t size_;
};

}  // namespace elapid
