// One line of text, read from left to right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// The start of `rest` for a message: its first word in backquotes, shortened and without control
/// characters, or `at_end` if `rest` is empty.
[[nodiscard]] std::string found_text(std::string_view rest, std::string_view at_end);

/// kMalformed: `expected WHAT, found` and the start of `rest`.
[[nodiscard]] Error expected_at(std::uint64_t offset, std::string_view what, std::string_view rest,
                                std::string_view at_end = "the end of the line");

class LineCursor {
 public:
  /// Borrows the text, which begins at byte `offset` of its input.
  LineCursor(std::string_view text, std::uint64_t offset) : text_(text), offset_(offset) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

  /// The next character; '\0' at the end.
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }

  /// The offset of the next character in the input.
  [[nodiscard]] std::uint64_t offset() const { return offset_ + at_; }

  /// Whether white space or the end comes next.
  [[nodiscard]] bool at_word_end() const;

  /// Skips white space; whether there was any.
  bool skip_blanks();
  /// Skips `literal` if it comes next; whether it does.
  bool take(std::string_view literal);

  bool take(char literal) { return take(std::string_view(&literal, 1)); }

  /// Skips one character, which must exist.
  void skip() { ++at_; }

  /// Skips all characters before the first one of `characters`, or before the end.
  void skip_to_any_of(std::string_view characters) {
    at_ = std::min(text_.find_first_of(characters, at_), text_.size());
  }

  /// Skips and returns the text before the next `end`; nothing, and no step, if there is none.
  std::optional<std::string_view> until(char end);
  /// Reads decimal digits; nothing, and no step, if there are none or the number is 2^64 or more.
  std::optional<std::uint64_t> natural();
  /// Reads decimal digits with an optional `-`; nothing, and no step, for a number beyond 64 bits.
  std::optional<std::int64_t> integer();

  /// kMalformed here: `expected WHAT, found ...`.
  [[nodiscard]] Error expected(std::string_view what) const {
    return expected_at(offset(), what, text_.substr(at_));
  }

 private:
  template <class Number>
  std::optional<Number> number();

  std::string_view text_;
  std::uint64_t offset_;
  std::size_t at_ = 0;
};

}  // namespace elapid
