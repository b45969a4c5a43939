// The tokens of EDN.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace elapid::edn {

enum class TokenKind : std::uint8_t {
  kEnd,    ///< of the input
  kError,  ///< see Scanner::error()
  kNil,
  kTrue,
  kFalse,
  kInteger,     ///< fits into 64 bits: `12`, `0x1F`, `2r101`, `1N`
  kBigInteger,  ///< does not fit
  kFloat,       ///< `1.5`, `1e3`, `##NaN`
  kDecimal,     ///< `1.50M`
  kRatio,       ///< `1/2`, also `4/2`
  kString,      ///< text with its quotes and escapes
  kCharacter,   ///< text with its backslash
  kRegex,       ///< `#"a+"`, which Clojure prints although EDN lacks it; text as it is
  kKeyword,     ///< text with its colon
  kSymbol,
  kTag,  ///< text without `#`; a form follows
  kOpenList,
  kOpenVector,
  kOpenMap,  ///< text is the namespace of `#:ns{`, empty for `{`
  kOpenSet,
  kCloseList,
  kCloseVector,
  kCloseBrace,
  kDiscard,   ///< `#_`; Scanner::next() never returns it
  kMetadata,  ///< `^`; next() never returns it
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint64_t offset = 0;    ///< of its first byte in the input
  std::string_view text = {};  ///< as in the source; valid until the scanner's next step
  std::int64_t integer = 0;    ///< of kInteger
};

constexpr bool is_open(TokenKind kind) {
  return kind >= TokenKind::kOpenList && kind <= TokenKind::kOpenSet;
}

constexpr bool is_close(TokenKind kind) {
  return kind >= TokenKind::kCloseList && kind <= TokenKind::kCloseBrace;
}

/// Whether the token opens a list or a vector.
constexpr bool is_sequential(TokenKind kind) {
  return kind == TokenKind::kOpenList || kind == TokenKind::kOpenVector;
}

/// For messages: "a vector", "`:x`", "the end of the input".
std::string describe(const Token& token);

/// For messages: text in backquotes on one line, shortened if it is long; `?` for control
/// characters and bytes that are not UTF-8.
std::string in_quotes(std::string_view text);

}  // namespace elapid::edn
