// A text that grows at its end, for output of a hundred million parts: a number or a word costs a
// few instructions.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace elapid {

class FastText {
 public:
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }

  void clear() { size_ = 0; }

  FastText& operator<<(std::string_view text) {
    std::copy(text.begin(), text.end(), room(text.size()));
    size_ += text.size();
    return *this;
  }

  FastText& operator<<(char c) {
    *room(1) = c;
    ++size_;
    return *this;
  }

  /// Appends the number in decimal.
  FastText& operator<<(std::int64_t n) {
    char* const at = room(kLongestNumber);
    size_ += static_cast<std::size_t>(std::to_chars(at, at + kLongestNumber, n).ptr - at);
    return *this;
  }

 private:
  static constexpr std::size_t kLongestNumber = 20;

  char* room(std::size_t count) {
    if (bytes_.size() - size_ < count) {
      bytes_.resize(std::max(2 * bytes_.size(), size_ + count));
    }
    return bytes_.data() + size_;
  }

  std::vector<char> bytes_ = std::vector<char>(4096);
  std::size_t size_ = 0;
};

}  // namespace elapid
