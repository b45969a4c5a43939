// A source's bytes in order, with as many contiguous bytes as the caller needs: the base of
// scanners of text lines and of binary records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/growing_buffer.h"

namespace elapid {

class Window {
 public:
  static constexpr std::size_t kDefaultBytes = std::size_t{1} << 16;

  /// Reads the borrowed `source` from its current place, which is `offset` bytes into the input.
  /// The window grows with the longest requested piece; a piece longer than
  /// ByteSource::line_limit() is an error.
  explicit Window(ByteSource& source, std::size_t bytes = kDefaultBytes, std::uint64_t offset = 0);

  /// The next bytes: at least `count`, unless the input ends before, or its reading fails (see
  /// error()). Valid until the next call of a non-const function.
  std::string_view ahead(std::size_t count) {
    if (static_cast<std::size_t>(limit_ - cursor_) < count) {
      refill(count);
    }
    return {cursor_, static_cast<std::size_t>(limit_ - cursor_)};
  }

  /// Skips `count` bytes, which must be in ahead().
  void skip(std::size_t count) { cursor_ += count; }

  /// Skips the next line and returns it without its newline, and without a carriage return before
  /// that. Nothing at the end of the input, and after an error.
  std::optional<std::string_view> line();

  /// Whether the line returned last ended with a newline.
  [[nodiscard]] bool line_is_whole() const { return line_is_whole_; }

  /// The offset of the next byte in the input.
  [[nodiscard]] std::uint64_t offset() const {
    return window_offset_ + static_cast<std::uint64_t>(cursor_ - buffer_.get());
  }

  /// Whether no bytes are left. Reads ahead if needed.
  [[nodiscard]] bool at_end() { return ahead(1).empty(); }

  /// Why the input ended early: it could not be read, or a piece is too long.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  void refill(std::size_t count);
  void fail(Error error);
  void make_room(std::size_t count);

  ByteSource& source_;
  std::size_t capacity_;
  GrowingBuffer buffer_;
  std::uint64_t window_offset_ = 0;  // of buffer_[0]
  const char* cursor_;
  const char* limit_;
  bool has_ended_ = false;
  bool line_is_whole_ = false;
  std::optional<Error> error_;
};

}  // namespace elapid
