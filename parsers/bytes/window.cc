#include "parsers/bytes/window.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace elapid {

Window::Window(ByteSource& source, std::size_t bytes)
    : source_(source),
      capacity_(bytes),
      buffer_(std::make_unique_for_overwrite<char[]>(bytes)),
      cursor_(buffer_.get()),
      limit_(buffer_.get()) {}

/// Moves what lies ahead to the front of a buffer that can hold `count` bytes.
void Window::make_room(std::size_t count) {
  const auto left = static_cast<std::size_t>(limit_ - cursor_);
  window_offset_ = offset();
  if (count > capacity_) {
    capacity_ = std::max(count, capacity_ * 2);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    std::memcpy(larger.get(), cursor_, left);
    buffer_ = std::move(larger);
  } else {
    std::memmove(buffer_.get(), cursor_, left);
  }
  cursor_ = buffer_.get();
  limit_ = cursor_ + left;
}

void Window::refill(std::size_t count) {
  if (has_ended_) {
    return;
  }
  if (count > kMaxPiece) {
    error_ = malformed_at(offset(), "expected a shorter piece, found one of 256 MiB or more");
    has_ended_ = true;
    limit_ = cursor_;
    return;
  }
  make_room(count);
  while (!has_ended_ && static_cast<std::size_t>(limit_ - cursor_) < count) {
    const auto used = static_cast<std::size_t>(limit_ - buffer_.get());
    Result<std::size_t> got = source_.read({buffer_.get() + used, capacity_ - used});
    if (!got) {
      error_ = std::move(got.error());
    }
    has_ended_ = !got || got.value() == 0;
    limit_ += got ? got.value() : 0;
  }
}

std::optional<std::string_view> Window::line() {
  std::size_t searched = 0;
  std::string_view text = ahead(1);
  const void* newline = nullptr;
  while ((newline = std::memchr(text.data() + searched, '\n', text.size() - searched)) == nullptr) {
    searched = text.size();
    text = ahead(searched + 1);
    if (text.size() == searched) {
      break;
    }
  }
  if (error_ || text.empty()) {
    return std::nullopt;
  }
  line_is_whole_ = newline != nullptr;
  const std::size_t length =
      line_is_whole_ ? static_cast<std::size_t>(static_cast<const char*>(newline) - text.data())
                     : text.size();
  skip(length + (line_is_whole_ ? 1 : 0));
  const bool has_return = length > 0 && text[length - 1] == '\r';
  return text.substr(0, length - (has_return ? 1 : 0));
}

}  // namespace elapid
