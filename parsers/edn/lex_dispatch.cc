// The lexical part of the scanner for tokens that begin with `#`.

#include <algorithm>

#include "parsers/edn/name.h"
#include "parsers/edn/scanner.h"

namespace elapid::edn {

namespace {

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || !is_ascii(c);
}

}  // namespace

/// A token that begins with `#`.
TokenKind Scanner::lex_dispatch(const char* at) {
  if (!ensure(at, 1)) {
    return fail(offset_of(begin_), "expected a form behind `#`, found the end of the input");
  }
  switch (*at) {
    case '{':
      return open(TokenKind::kOpenSet, at + 1);
    case '_':
      return finish(TokenKind::kDiscard, at + 1);
    case '^':
      return finish(TokenKind::kMetadata, at + 1);
    case ':':
      return lex_namespaced_map(at + 1);
    case '#':
      return lex_symbolic_value(at + 1);
    case '"':
      return lex_regex(at + 1);
    default:
      return lex_tag(at);
  }
}

TokenKind Scanner::lex_symbolic_value(const char* at) {
  if (!finish_word(at, kEndsTokenBit)) {
    return TokenKind::kError;
  }
  const std::string_view text = view(begin_, at);
  if (text != "##NaN" && text != "##Inf" && text != "##-Inf") {
    return fail(offset_of(begin_), "expected ##NaN, ##Inf or ##-Inf, found " + in_quotes(text));
  }
  return finish(TokenKind::kFloat, at);
}

/// A namespaced map: `#:ns{` or `#:ns {`.
TokenKind Scanner::lex_namespaced_map(const char* at) {
  if (!finish_word(at, kEndsTokenBit)) {
    return TokenKind::kError;
  }
  const std::string_view prefix = view(begin_, at);
  const std::string_view space = prefix.substr(2);
  if (space.find_first_of(":/") != std::string_view::npos || !is_name(space)) {
    return fail(offset_of(begin_), "expected a namespace behind `#:`, found " + in_quotes(prefix));
  }
  const std::size_t length = space.size();
  do {
    while (has_bit(*at, kSpaceBit)) {
      ++at;
    }
  } while (at == limit_ && more(at));
  if (*at != '{') {
    return fail(offset_of(begin_),
                "expected a map behind " + in_quotes(view(begin_, begin_ + 2 + length)));
  }
  open(TokenKind::kOpenMap, at + 1);
  token_.text = {begin_ + 2, length};
  return token_.kind;
}

TokenKind Scanner::lex_tag(const char* at) {
  const bool is_tag = is_letter(*at);
  if (!finish_word(at, kEndsTokenBit)) {
    return TokenKind::kError;
  }
  const std::string_view tag = view(begin_ + 1, at);
  if (!is_tag || !is_name(tag) || constant_or_symbol(tag) != TokenKind::kSymbol) {
    return fail(offset_of(begin_), "expected a tag, a set or a discarded form, found " +
                                       in_quotes(view(begin_, std::max(at, begin_ + 2))));
  }
  finish(TokenKind::kTag, at);
  token_.text = tag;
  return TokenKind::kTag;
}

}  // namespace elapid::edn
