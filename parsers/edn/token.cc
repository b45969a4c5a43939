#include "parsers/edn/token.h"

#include <algorithm>

#include "parsers/edn/utf8.h"

namespace elapid::edn {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  constexpr std::uint32_t kDelete = 0x7f;
  std::string out = "`";
  while (!text.empty() && out.size() <= kLongest) {
    const CodePoint point = decode_utf8(text);
    const bool is_printable = point.length > 0 && point.code >= ' ' && point.code != kDelete;
    out += is_printable ? text.substr(0, point.length) : "?";
    text.remove_prefix(std::max(point.length, 1U));
  }
  out += text.empty() ? "`" : "...`";
  return out;
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
      return in_quotes('#' + std::string(token.text));
    default:
      return in_quotes(token.text);
  }
}

}  // namespace elapid::edn
