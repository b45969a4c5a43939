#include "parsers/bytes/window.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace elapid {

Window::Window(ByteSource& source, std::size_t bytes, std::uint64_t offset)
    : source_(source),
      capacity_(bytes),
      buffer_(bytes),
      window_offset_(offset),
      cursor_(buffer_.get()),
      limit_(buffer_.get()) {}

/// Moves the bytes ahead to the front of a buffer that can hold `count` bytes.
void Window::make_room(std::size_t count) {
  const auto left = static_cast<std::size_t>(limit_ - cursor_);
  window_offset_ = offset();
  std::memmove(buffer_.get(), cursor_, left);
  if (count > capacity_) {
    capacity_ = std::max(count, grown(capacity_));
    buffer_.resize(capacity_);
  }
  cursor_ = buffer_.get();
  limit_ = cursor_ + left;
}

void Window::refill(std::size_t count) {
  if (has_ended_) {
    return;
  }
  if (count > std::max<std::uint64_t>(source_.line_limit().bytes, capacity_)) {
    fail(too_long_at(offset(), "a piece", source_.line_limit()));
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

/// Hides the bytes ahead: after an error none may be taken.
void Window::fail(Error error) {
  error_ = std::move(error);
  has_ended_ = true;
  limit_ = cursor_;
}

std::optional<std::string_view> Window::line() {
  std::size_t searched = 0;
  std::string_view text = ahead(1);
  const void* newline = nullptr;
  while ((newline = std::memchr(text.data() + searched, '\n', text.size() - searched)) == nullptr) {
    searched = text.size();
    if (searched > source_.line_limit().bytes) {
      break;
    }
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
  if (length > source_.line_limit().bytes) {
    fail(too_long_at(offset(), "a line", source_.line_limit()));
    return std::nullopt;
  }
  skip(length + (line_is_whole_ ? 1 : 0));
  const bool has_return = length > 0 && text[length - 1] == '\r';
  return text.substr(0, length - (has_return ? 1 : 0));
}

}  // namespace elapid
