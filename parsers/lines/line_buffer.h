// Bytes that come in pieces, cut into lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace elapid {

/// Grows with the longest line; a line longer than allowed is passed over and noted. After add()
/// everything that can be taken is to be taken, lines before an overflow.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t longest_line) : longest_line_(longest_line) {}

  /// Room for so many further bytes. Ends what was taken before.
  std::span<char> room(std::size_t size);

  /// Adds the first `count` bytes of room().
  void add(std::size_t count);

  /// The whole lines that are there, which are passed over.
  std::string_view take_lines();

  /// An unfinished line, which is passed over.
  std::string_view take_rest();

  /// Where the line behind those taken begins, if it is too long. Says so once for each.
  std::optional<std::uint64_t> take_overflow();

  /// Of the next byte in the input.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  std::string_view take_to(std::size_t end);
  void skip_to_newline();

  std::size_t longest_line_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;      // of what is not taken
  std::size_t lines_end_ = 0;  // behind the last newline
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  // of begin_ in the input
  bool is_skipping_ = false;  // the line that comes in is too long
  bool has_overflowed_ = false;
};

}  // namespace elapid
