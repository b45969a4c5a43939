// One line of text, passed over from left to right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// What stands at the start of `rest`, for a message: its first word in backquotes, shortened and
/// without control characters, or `at_end` if there is nothing.
[[nodiscard]] std::string found_text(std::string_view rest, std::string_view at_end);

/// kMalformed: `expected WHAT, found` what stands at the start of `rest`.
[[nodiscard]] Error expected_at(std::uint64_t offset, std::string_view what, std::string_view rest,
                                std::string_view at_end = "the end of the line");

class LineCursor {
 public:
  /// Borrows the text, which begins at byte `offset` of its input.
  LineCursor(std::string_view text, std::uint64_t offset) : text_(text), offset_(offset) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

  /// The next character; '\0' at the end.
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }

  /// Of the next character in the input.
  [[nodiscard]] std::uint64_t offset() const { return offset_ + at_; }

  /// Whether white space stands here, or nothing at all.
  [[nodiscard]] bool at_word_end() const;

  /// Passes over white space; whether there was any.
  bool skip_blanks();
  /// Passes over `literal` if it stands here; whether it does.
  bool take(std::string_view literal);

  bool take(char literal) { return take(std::string_view(&literal, 1)); }

  /// Passes over one character, which must be there.
  void skip() { ++at_; }

  /// Passes over everything before the first of these characters, or before the end.
  void skip_to_any_of(std::string_view characters) {
    at_ = std::min(text_.find_first_of(characters, at_), text_.size());
  }

  /// Passes over what stands before the next `end`; nothing, and no step, if there is none.
  std::optional<std::string_view> until(char end);
  /// Passes over decimal digits; nothing, and no step, if there are none or they say 2^64 or more.
  std::optional<std::uint64_t> natural();
  /// Passes over decimal digits with or without `-`; the same for a number outside of 64 bits.
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
