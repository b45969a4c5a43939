// Bytes that come in pieces, cut into lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace elapid {

/// Grows with the longest line. A line that is too long is skipped and noted. After add() the
/// caller must take all lines, and lines before an overflow.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t longest_line) : longest_line_(longest_line) {}

  /// Room for so many further bytes. Invalidates the lines taken before.
  std::span<char> room(std::size_t size);

  /// Adds the first `count` bytes of room().
  void add(std::size_t count);

  /// The whole lines so far, which are then skipped.
  std::string_view take_lines();

  /// An unfinished line, which is then skipped.
  std::string_view take_rest();

  /// The offset of the line after those taken, if it is too long; once for each such line.
  std::optional<std::uint64_t> take_overflow();

  /// The offset of the next byte in the input.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  std::string_view take_to(std::size_t end);
  void skip_to_newline();

  std::size_t longest_line_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;      // of the untaken bytes
  std::size_t lines_end_ = 0;  // after the last newline
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  // of begin_ in the input
  bool is_skipping_ = false;  // the incoming line is too long
  bool has_overflowed_ = false;
};

}  // namespace elapid
