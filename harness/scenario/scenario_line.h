// A line of a scenario's file, and how far it has been read.
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

  /// Where it stands, in bytes from the line's beginning.
  [[nodiscard]] std::size_t offset() const { return at_; }

  /// The same line, so many bytes on.
  [[nodiscard]] ScenarioLine at(std::uint64_t bytes) const;

  /// What has not been read, without blanks at the end.
  [[nodiscard]] std::string_view rest() const;

  /// Nothing follows but a comment.
  [[nodiscard]] bool is_done() const { return rest().empty() || rest().front() == ';'; }

  [[nodiscard]] char peek() const { return is_done() ? '\0' : rest().front(); }

  void skip_blanks();
  /// Letters, digits, `-` and `_`; empty if there are none.
  std::string_view word();
  /// Passes over this character, if it is the next one.
  bool take(char c);
  /// Passes over blanks and a whole number; false if there is none.
  bool number(std::int64_t& into);
  /// Nothing may follow.
  Status end();

  /// kMalformed: `expected ..., found ...`.
  [[nodiscard]] Status error(std::string_view expected) const;
  /// kMalformed, at this place.
  [[nodiscard]] Error error_of(std::string message) const;

 private:
  std::string_view file_ = {};
  std::uint64_t number_ = 0;
  std::string_view text_ = {};
  std::size_t at_ = 0;
};

// Small files that people write: scenarios, programs.

/// The whole text. Error kUnreadable, or kMalformed beyond 1 MiB: `what` is `a scenario`.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path, std::string_view what);

}  // namespace elapid
