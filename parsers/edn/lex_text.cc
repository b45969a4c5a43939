// The lexical part of the scanner for strings and characters.

#include "parsers/edn/scanner.h"
#include "parsers/edn/string_text.h"

namespace elapid::edn {

namespace {

constexpr std::string_view kSimpleEscapes = "\"\\ntrfb";

}  // namespace

TokenKind Scanner::lex_string(const char* at) {
  while (true) {
    while (has_bit(*at, kStringBit)) {
      ++at;
    }
    if (*at == '"') {
      return finish(TokenKind::kString, at + 1);
    }
    if (*at == '\\') {
      if (!skip_escape(at)) {
        return TokenKind::kError;
      }
    } else if (at == limit_) {
      if (!more(at)) {
        return fail(offset_of(begin_),
                    "expected `\"` to close this string, found the end of the input");
      }
    } else {
      std::uint32_t code = 0;
      std::uint32_t length = 0;
      if (!decode(at, code, length)) {
        return TokenKind::kError;
      }
      at += length;
    }
  }
}

/// A pattern, behind its first quote. A backslash escapes the next character, which then does not
/// end the pattern.
TokenKind Scanner::lex_regex(const char* at) {
  bool is_kept = false;  // by a backslash
  while (at != limit_ || more(at)) {
    if (*at == '"' && !is_kept) {
      return finish(TokenKind::kRegex, at + 1);
    }
    is_kept = *at == '\\' && !is_kept;
    std::uint32_t code = 0;
    std::uint32_t length = 0;
    if (!decode(at, code, length)) {
      return TokenKind::kError;
    }
    at += length;
  }
  return fail(offset_of(begin_), "expected `\"` to close this pattern, found the end of the input");
}

/// Checks and skips the escape sequence at `at`.
bool Scanner::skip_escape(const char*& at) {
  constexpr std::size_t kLongest = 6;
  ensure(at, kLongest);
  const std::string_view rest = view(at, limit_).substr(1, kLongest - 1);
  if (rest.empty()) {
    ++at;  // the caller finds the end of the input
    return !has_failed_;
  }
  if (is_digit(rest.front())) {
    return skip_octal_escape(at);
  }
  const bool is_simple = kSimpleEscapes.find(rest.front()) != std::string_view::npos;
  const bool is_unicode =
      rest.size() == 5 && rest.front() == 'u' && parse_code(rest.substr(1), 16).has_value();
  if (!is_simple && !is_unicode) {
    fail(offset_of(at), "expected an escape sequence of EDN, found " +
                            in_quotes(view(at, at + 1 + (rest.front() == 'u' ? rest.size() : 1))));
    return false;
  }
  at += is_unicode ? kLongest : 2;
  return true;
}

/// Up to three octal digits; only white space or a macro character may end them early.
bool Scanner::skip_octal_escape(const char*& at) {
  std::uint32_t code = 0;
  const char* digit = at + 1;
  for (int count = 0; count < 3 && digit < limit_ && !has_bit(*digit, kEndsNumberBit); ++count) {
    const bool is_octal = *digit >= '0' && *digit <= '7';
    code = is_octal ? code * 8 + static_cast<std::uint32_t>(*digit - '0') : 0400;
    ++digit;
  }
  if (code > 0377) {
    fail(offset_of(at),
         "expected an octal escape up to \\377, found " + in_quotes(view(at, digit)));
    return false;
  }
  at = digit;
  return true;
}

TokenKind Scanner::lex_character(const char* at) {
  if (!ensure(at, 1)) {
    return fail(offset_of(begin_), "expected a character behind `\\`, found the end of the input");
  }
  // The first character counts whatever it is: `\(` and `\ ` are characters.
  std::uint32_t code = 0;
  std::uint32_t length = 0;
  if (!decode(at, code, length)) {
    return TokenKind::kError;
  }
  at += length;
  if (!finish_word(at, kEndsTokenBit)) {
    return TokenKind::kError;
  }
  if (!character_code(view(begin_, at))) {
    return fail(offset_of(begin_), "expected a character, found " + in_quotes(view(begin_, at)));
  }
  return finish(TokenKind::kCharacter, at);
}

}  // namespace elapid::edn
