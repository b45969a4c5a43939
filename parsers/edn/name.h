// The words that are keywords and symbols.
#pragma once

#include <string_view>

#include "parsers/edn/token.h"

namespace elapid::edn {

/// Whether a word that does not begin like a number is a keyword (with its colon) or a symbol, by
/// the rules of Clojure's EDN reader: `a`, `ns/a`, `:1`, `/`, but not `:a/1`, `a/`, `::a` or `a:`.
bool is_name(std::string_view word);

/// The kind of a word without a colon: one of the three constants, or a symbol.
inline TokenKind constant_or_symbol(std::string_view word) {
  if (word == "nil") {
    return TokenKind::kNil;
  }
  if (word == "true") {
    return TokenKind::kTrue;
  }
  return word == "false" ? TokenKind::kFalse : TokenKind::kSymbol;
}

}  // namespace elapid::edn
