// Finds the end of an array or object, in text that comes in pieces.
#pragma once

#include <cstddef>
#include <string_view>

namespace elapid::json {

/// Counts brackets, and knows strings. Does not check that the text is JSON.
class BracketCounter {
 public:
  /// Looks at the next piece of text. Returns the bytes up to the end of the array or object that
  /// the first piece begins with; nothing if it continues after this piece.
  std::size_t find_end(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (is_last(text[i])) {
        return i + 1;
      }
    }
    return std::string_view::npos;
  }

 private:
  bool is_last(char c) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (c == '"') {
      is_in_string_ = !is_in_string_;
    } else if (is_in_string_) {
      is_escaped_ = c == '\\';
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      return --depth_ == 0;
    }
    return false;
  }

  std::size_t depth_ = 0;
  bool is_in_string_ = false;
  bool is_escaped_ = false;
};

}  // namespace elapid::json
