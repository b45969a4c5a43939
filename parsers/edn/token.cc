#include "parsers/edn/token.h"

namespace elapid::edn {

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) {
    return '`' + std::string(text) + '`';
  }
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xc0U) == 0x80) {
    --end;  // not inside a code point
  }
  return '`' + std::string(text.substr(0, end)) + "...`";
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the input";
    case TokenKind::kNil:
      return "nil";
    case TokenKind::kOpenList:
      return "a list";
    case TokenKind::kOpenVector:
      return "a vector";
    case TokenKind::kOpenMap:
      return "a map";
    case TokenKind::kOpenSet:
      return "a set";
    case TokenKind::kTag:
      return quoted('#' + std::string(token.text));
    default:
      return quoted(token.text);
  }
}

}  // namespace elapid::edn
