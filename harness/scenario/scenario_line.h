// A line of a scenario's file, with the position up to which it was read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

class ScenarioLine {
 public:
  ScenarioLine() = default;

  /// Borrows both texts. `number`: from 1.
  ScenarioLine(std::string_view file, std::uint64_t number, std::string_view text)
      : file_(file), number_(number), text_(text) {}

  [[nodiscard]] std::uint64_t number() const { return number_; }

  /// The position, in bytes from the line's begin.
  [[nodiscard]] std::size_t offset() const { return at_; }

  /// The same line, with a position this many bytes further.
  [[nodiscard]] ScenarioLine at(std::uint64_t bytes) const;

  /// The unread rest, without blanks at the end.
  [[nodiscard]] std::string_view rest() const;

  /// Whether only a comment follows.
  [[nodiscard]] bool is_done() const { return rest().empty() || rest().front() == ';'; }

  [[nodiscard]] char peek() const { return is_done() ? '\0' : rest().front(); }

  void skip_blanks();
  /// Reads letters, digits, `-` and `_`; empty if there are none.
  std::string_view word();
  /// Skips this character, if it is the next one.
  bool take(char c);
  /// Skips blanks and reads a whole number; false if there is none.
  bool number(std::int64_t& into);
  /// An error if anything but a comment follows.
  Status end();

  /// An error kMalformed: `expected ..., found ...`.
  [[nodiscard]] Status error(std::string_view expected) const;
  /// An error kMalformed at this position.
  [[nodiscard]] Error error_of(std::string message) const;

 private:
  std::string_view file_ = {};
  std::uint64_t number_ = 0;
  std::string_view text_ = {};
  std::size_t at_ = 0;
};

// Small files that users write: scenarios, programs.

/// Reads the whole text. Errors: kUnreadable; kMalformed above 1 MiB. `what`: as `a scenario`.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path, std::string_view what);

}  // namespace elapid
