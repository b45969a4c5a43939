// EDN numbers: the grammar of Clojure's reader, and their canonical text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parsers/edn/token.h"

namespace elapid::edn {

/// The form of written values.
enum class TextStyle : std::uint8_t {
  kCanonical,  ///< equal values have equal text (engine/ir/value_pool.h)
  kPrinted,    ///< as Clojure prints them, maps and sets in the order of the source
};

/// The meaning of a number token.
struct Number {
  TokenKind kind = TokenKind::kError;
  std::int64_t integer = 0;  ///< of kInteger
  std::string problem = {};  ///< why it is not a number, if kind is kError
};

/// Reads a whole token that begins like a number. Linear in its length.
Number classify_number(std::string_view text);

/// Appends the text of a token that classify_number accepted, or of `##NaN`, `##Inf`, `##-Inf`.
void append_number(const Token& token, TextStyle style, std::string& out);

}  // namespace elapid::edn
