#include "parsers/json/input.h"

#include <span>
#include <string_view>
#include <utility>

namespace elapid::json {

Input::Input(ByteSource& source, std::uint64_t offset, std::size_t window_bytes, bool is_again)
    : source_(source),
      capacity_(window_bytes),
      window_(std::make_unique_for_overwrite<char[]>(window_bytes + 1)),
      window_offset_(offset),
      is_again_(is_again),
      cursor_(window_.get()),
      limit_(window_.get()),
      token_offset_(offset),
      value_offset_(offset) {
  refill();
}

bool Input::skip_byte_order_mark() {
  // No JSON begins with a part of the mark, so the bytes of a partial match are not needed.
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  for (const char byte : kMark) {
    if (peek() != byte) {
      return false;
    }
    take();
  }
  return true;
}

std::string Input::describe_next() const {
  if (at_end()) {
    return "the end of the input";
  }
  const auto byte = static_cast<unsigned char>(peek());
  if (byte > ' ' && byte < 0x7f) {
    return {'`', peek(), '`'};
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  return std::string("byte 0x") + kDigits[byte >> 4] + kDigits[byte & 15U];
}

/// Moves the window behind its content. At the end the cursor stays on the NUL.
void Input::refill() {
  if (has_ended_) {
    cursor_ = limit_;
    return;
  }
  window_offset_ += static_cast<std::uint64_t>(limit_ - window_.get());
  std::size_t count = 0;
  const LineLimit limit = source_.line_limit().divided_by(kValuePart);
  if (window_offset_ - value_offset_ > limit.bytes) {
    error_ = too_long_at(value_offset_, "a JSON value", limit);
  } else if (Result<std::size_t> read = read_window(); read) {
    count = read.value();
  } else {
    error_ = std::move(read.error());
  }
  has_ended_ = count == 0;
  window_[count] = '\0';
  cursor_ = window_.get();
  limit_ = window_.get() + count;
}

Result<std::size_t> Input::read_window() {
  const std::span<char> into(window_.get(), capacity_);
  return is_again_ ? source_.reread(window_offset_, into) : source_.read(into);
}

}  // namespace elapid::json
