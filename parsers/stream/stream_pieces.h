// A stream's lines cut into transactions: one a line, or the elements of one JSON array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/json/bracket_counter.h"

namespace elapid {

/// The text of one transaction, if it is one.
struct StreamPiece {
  std::string_view text = {};
  std::uint64_t line = 0;           ///< the line in which it begins
  bool is_joined = false;           ///< from several lines: the text is valid until the next step
  std::optional<Error> error = {};  ///< kMalformed instead of a text, with an offset in the line
};

/// A stream whose first character is `[` is an array, whose elements may begin and end anywhere in
/// lines. In any other stream each line is a piece.
class StreamPieces {
 public:
  /// Longer elements of an array are errors. `takes_array`: if false, `[` is an error.
  explicit StreamPieces(bool takes_array, std::size_t longest)
      : takes_array_(takes_array), longest_(longest) {}

  /// Adds the next line, without its newline. Then next() returns the pieces that end in it, in
  /// order; they refer to `line` unless they are joined.
  void add(std::string_view line, std::uint64_t number);

  /// Ends the stream: next() returns an unfinished piece, as an error or for the parser to reject.
  void finish();

  [[nodiscard]] std::optional<StreamPiece> next();

 private:
  enum class Place : std::uint8_t {
    kStart,    ///< only blanks so far
    kLines,    ///< no array
    kFirst,    ///< after the bracket
    kElement,  ///< after a comma
    kComma,    ///< after an element
    kAny,      ///< after an error
    kInside,   ///< in an element of several lines
    kBehind,   ///< after the array
  };

  void begin();
  std::optional<StreamPiece> step();
  std::optional<StreamPiece> take_element();
  std::optional<StreamPiece> take_rest();
  [[nodiscard]] bool accepts(char c) const;
  StreamPiece fail(std::string message);

  bool takes_array_;
  std::size_t longest_;
  Place place_ = Place::kStart;
  std::string_view line_;
  std::uint64_t number_ = 0;
  std::size_t at_ = 0;  // in line_
  bool has_line_ = false;
  bool is_finishing_ = false;
  std::string joined_;  // the element so far, unless it is too long
  std::size_t length_ = 0;
  std::uint64_t joined_line_ = 0;
  json::BracketCounter brackets_;
};

}  // namespace elapid
