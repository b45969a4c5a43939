// The bytes of a JSON text, one at a time through a moving window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid::json {

class Input {
 public:
  static constexpr std::size_t kWindowBytes = std::size_t{1} << 16;
  /// A value of the outermost level takes several times its size in memory. A value longer than
  /// this part of ByteSource::line_limit() is an error.
  static constexpr std::uint64_t kValuePart = 4;

  /// Reads the borrowed `source` from its first byte on; it must be unread.
  explicit Input(ByteSource& source) : Input(source, 0, kWindowBytes, false) {}

  /// Reads on from the current place of `source`, which is `offset` bytes into the input.
  static Input resumed(ByteSource& source, std::uint64_t offset) {
    return Input(source, offset, kWindowBytes, false);
  }

  /// Reads `source` once more from `offset` on, through a small window and without disturbing it.
  Input(ByteSource& source, std::uint64_t offset) : Input(source, offset, kSmallWindow, true) {}

  /// The next byte; NUL at the end of the input, but see at_end().
  [[nodiscard]] char peek() const { return *cursor_; }

  /// Skips the next byte and returns it; at the end, returns NUL and stays there.
  char take() {
    const char taken = *cursor_++;
    if (cursor_ >= limit_) {
      refill();
    }
    return taken;
  }

  /// Skips white space; the current token follows.
  void skip_space() {
    while (*cursor_ == ' ' || *cursor_ == '\n' || *cursor_ == '\r' || *cursor_ == '\t') {
      take();
    }
    token_offset_ = offset();
  }

  /// Skips U+FEFF at the very start; whether there was one.
  bool skip_byte_order_mark();

  /// Marks the current token as the beginning of an outermost value, for the limit of its length.
  void begin_value() { value_offset_ = token_offset_; }

  [[nodiscard]] bool at_end() const { return cursor_ == limit_; }

  /// The offset of the next byte.
  [[nodiscard]] std::uint64_t offset() const {
    return window_offset_ + static_cast<std::uint64_t>(cursor_ - window_.get());
  }

  /// The place where skip_space() stopped last.
  [[nodiscard]] std::uint64_t token_offset() const { return token_offset_; }

  /// Why the input ended early: it could not be read, or a value is too long.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// The next byte for messages: "`x`", "byte 0x07", "the end of the input".
  [[nodiscard]] std::string describe_next() const;

 private:
  static constexpr std::size_t kSmallWindow = 4096;

  Input(ByteSource& source, std::uint64_t offset, std::size_t window_bytes, bool is_again);
  void refill();
  Result<std::size_t> read_window();

  ByteSource& source_;
  std::size_t capacity_;
  std::unique_ptr<char[]> window_;
  std::uint64_t window_offset_;  // of window_[0] in the input
  bool is_again_;                // reads through reread()
  const char* cursor_;
  const char* limit_;  // after the window; *limit_ is NUL
  std::uint64_t token_offset_ = 0;
  std::uint64_t value_offset_ = 0;
  bool has_ended_ = false;
  std::optional<Error> error_;
};

}  // namespace elapid::json
