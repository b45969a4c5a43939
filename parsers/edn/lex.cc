// The lexical part of the scanner: one function a kind of token. The short ones read what a history
// is made of and stop at the first byte that needs thought; those called odd begin again and read
// anything.

#include <algorithm>
#include <utility>

#include "parsers/edn/name.h"
#include "parsers/edn/number.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/string_text.h"
#include "parsers/edn/utf8.h"

namespace elapid::edn {

namespace {

std::string_view name_of(TokenKind open) {
  switch (open) {
    case TokenKind::kOpenList:
      return "list";
    case TokenKind::kOpenVector:
      return "vector";
    case TokenKind::kOpenMap:
      return "map";
    default:
      return "set";
  }
}

TokenKind closer_of(TokenKind open) {
  switch (open) {
    case TokenKind::kOpenList:
      return TokenKind::kCloseList;
    case TokenKind::kOpenVector:
      return TokenKind::kCloseVector;
    default:
      return TokenKind::kCloseBrace;
  }
}

std::string_view spelling(TokenKind close) {
  switch (close) {
    case TokenKind::kCloseList:
      return "`)`";
    case TokenKind::kCloseVector:
      return "`]`";
    default:
      return "`}`";
  }
}

/// An open bracket as Scanner::open_ keeps it.
struct OpenBracket {
  TokenKind kind;
  std::uint64_t offset;

  static OpenBracket unpack(std::uint64_t packed) {
    return {static_cast<TokenKind>(static_cast<std::uint64_t>(TokenKind::kOpenList) + (packed & 3)),
            packed >> 2};
  }

  [[nodiscard]] std::uint64_t pack() const {
    return (offset << 2) |
           (static_cast<std::uint64_t>(kind) - static_cast<std::uint64_t>(TokenKind::kOpenList));
  }
};

constexpr std::string_view kSimpleEscapes = "\"\\ntrfb";

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || !is_ascii(c);
}

TokenKind constant_or_symbol(std::string_view text) {
  if (text == "nil") {
    return TokenKind::kNil;
  }
  if (text == "true") {
    return TokenKind::kTrue;
  }
  return text == "false" ? TokenKind::kFalse : TokenKind::kSymbol;
}

std::string_view view(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

TokenKind Scanner::open(TokenKind kind, const char* end) {
  if (open_.size() == kMaxDepth) {
    return fail(offset_of(begin_),
                "expected at most " + std::to_string(kMaxDepth) + " open brackets, found more");
  }
  open_.push_back(OpenBracket{kind, offset_of(begin_)}.pack());
  finish(kind, end);
  token_.text = {};
  return kind;
}

TokenKind Scanner::close(TokenKind kind, const char* end) {
  if (open_.empty()) {
    return fail(offset_of(begin_),
                "expected a form, found " + std::string(spelling(kind)) + " with nothing open");
  }
  const OpenBracket bracket = OpenBracket::unpack(open_.back());
  if (closer_of(bracket.kind) != kind) {
    return fail(offset_of(begin_), "expected " + std::string(spelling(closer_of(bracket.kind))) +
                                       " to close the " + std::string(name_of(bracket.kind)) +
                                       " opened at byte " + std::to_string(bracket.offset) +
                                       ", found " + std::string(spelling(kind)));
  }
  open_.pop_back();
  return finish(kind, end);
}

TokenKind Scanner::end_of_input() {
  if (has_failed_) {
    return TokenKind::kError;
  }
  if (!open_.empty()) {
    const OpenBracket bracket = OpenBracket::unpack(open_.back());
    return fail(bracket.offset, "expected " + std::string(spelling(closer_of(bracket.kind))) +
                                    " to close this " + std::string(name_of(bracket.kind)) +
                                    ", found the end of the input at byte " +
                                    std::to_string(offset_of(limit_)));
  }
  return finish(TokenKind::kEnd, limit_);
}

inline TokenKind Scanner::lex_number() {
  const char* at = begin_;
  const bool is_negative = *at == '-';
  at += is_digit(*at) ? 0 : 1;
  const char* const digits = at;
  std::uint64_t magnitude = 0;
  while (is_digit(*at)) {
    magnitude = magnitude * 10 + static_cast<std::uint64_t>(*at - '0');
    ++at;
  }
  constexpr std::ptrdiff_t kAlwaysFits = 18;
  const bool is_octal = *digits == '0' && at - digits > 1;
  if (!has_bit(*at, kEndsNumberBit) || at - digits > kAlwaysFits || is_octal) {
    return lex_odd_number();
  }
  finish(TokenKind::kInteger, at);
  const auto value = static_cast<std::int64_t>(magnitude);
  token_.integer = is_negative ? -value : value;
  return TokenKind::kInteger;
}

inline TokenKind Scanner::lex_keyword() {
  const char* at = begin_ + 1;
  while (has_bit(*at, kPlainBit)) {
    ++at;
  }
  const bool is_plain = has_bit(*at, kEndsTokenBit) && at > begin_ + 1;
  return is_plain ? finish(TokenKind::kKeyword, at) : lex_odd_symbol();
}

inline TokenKind Scanner::lex_symbol() {
  const char* at = begin_;
  while (has_bit(*at, kPlainBit)) {
    ++at;
  }
  return has_bit(*at, kEndsTokenBit) ? finish(constant_or_symbol(view(begin_, at)), at)
                                     : lex_odd_symbol();
}

/// The next token as it stands, discard and metadata marks included.
TokenKind Scanner::lex() {
  const char* at = cursor_;
  while (true) {
    while (has_bit(*at, kSpaceBit)) {
      ++at;
    }
    begin_ = at;
    switch (*at) {
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9':
        return lex_number();
      case '+':
      case '-':
        ensure(at, 2);
        return is_digit(at[1]) ? lex_number() : lex_symbol();
      case ':':
        return lex_keyword();
      case '"':
        return lex_string(at + 1);
      case '\\':
        return lex_character(at + 1);
      case '(':
        return open(TokenKind::kOpenList, at + 1);
      case '[':
        return open(TokenKind::kOpenVector, at + 1);
      case '{':
        return open(TokenKind::kOpenMap, at + 1);
      case ')':
        return close(TokenKind::kCloseList, at + 1);
      case ']':
        return close(TokenKind::kCloseVector, at + 1);
      case '}':
        return close(TokenKind::kCloseBrace, at + 1);
      case '^':
        return finish(TokenKind::kMetadata, at + 1);
      case '#':
        return lex_dispatch(at + 1);
      case ';':
        if (!skip_comment(at)) {
          return end_of_input();
        }
        continue;
      case '\0':
        if (at == limit_) {
          if (!more(at)) {
            return end_of_input();
          }
          continue;
        }
        return lex_symbol();
      default:
        if (is_ascii(*at)) {
          return lex_symbol();
        }
    }
    std::uint32_t code = 0;
    std::uint32_t length = 0;
    if (!decode(at, code, length)) {
      return TokenKind::kError;
    }
    if (!is_wide_space(code)) {
      return lex_odd_symbol();
    }
    at += length;
  }
}

TokenKind Scanner::lex_odd_number() {
  const char* at = begin_;
  if (!finish_word(at, kEndsNumberBit)) {
    return TokenKind::kError;
  }
  Number number = classify_number(view(begin_, at));
  if (number.kind == TokenKind::kError) {
    return fail(offset_of(begin_), std::move(number.problem));
  }
  finish(number.kind, at);
  token_.integer = number.integer;
  return number.kind;
}

TokenKind Scanner::lex_odd_symbol() {
  const char* at = begin_;
  if (!finish_word(at, kEndsTokenBit)) {
    return TokenKind::kError;
  }
  const std::string_view text = view(begin_, at);
  if (!is_name(text)) {
    return fail(offset_of(begin_), "expected a keyword or symbol, found " + quoted(text));
  }
  return finish(*begin_ == ':' ? TokenKind::kKeyword : constant_or_symbol(text), at);
}

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

/// Checks the escape sequence at `at` and passes over it.
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
                            quoted(view(at, at + 1 + (rest.front() == 'u' ? rest.size() : 1))));
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
    code = is_octal ? code * 8 + static_cast<std::uint32_t>(*digit - '0') : ~0U >> 4;
    ++digit;
  }
  if (code > 0377) {
    fail(offset_of(at), "expected an octal escape up to \\377, found " + quoted(view(at, digit)));
    return false;
  }
  at = digit;
  return true;
}

TokenKind Scanner::lex_character(const char* at) {
  if (!ensure(at, 1)) {
    return fail(offset_of(begin_), "expected a character behind `\\`, found the end of the input");
  }
  // The first one counts whatever it is: `\(` and `\ ` are characters.
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
    return fail(offset_of(begin_), "expected a character, found " + quoted(view(begin_, at)));
  }
  return finish(TokenKind::kCharacter, at);
}

/// What begins with `#`.
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
    return fail(offset_of(begin_), "expected ##NaN, ##Inf or ##-Inf, found " + quoted(text));
  }
  return finish(TokenKind::kFloat, at);
}

/// `#:ns{` and `#:ns {`.
TokenKind Scanner::lex_namespaced_map(const char* at) {
  if (!finish_word(at, kEndsTokenBit)) {
    return TokenKind::kError;
  }
  const std::string_view prefix = view(begin_, at);
  const std::string_view space = prefix.substr(2);
  if (space.find_first_of(":/") != std::string_view::npos || !is_name(space)) {
    return fail(offset_of(begin_), "expected a namespace behind `#:`, found " + quoted(prefix));
  }
  const std::size_t length = space.size();
  do {
    while (has_bit(*at, kSpaceBit)) {
      ++at;
    }
  } while (at == limit_ && more(at));
  if (*at != '{') {
    return fail(offset_of(begin_),
                "expected a map behind " + quoted(view(begin_, begin_ + 2 + length)));
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
                                       quoted(view(begin_, std::max(at, begin_ + 2))));
  }
  finish(TokenKind::kTag, at);
  token_.text = tag;
  return TokenKind::kTag;
}

/// Passes over the rest of a line. False if the input ends in it.
bool Scanner::skip_comment(const char*& at) {
  while (true) {
    while (*at != '\n' && *at != '\r' && *at != '\0') {
      ++at;
    }
    begin_ = at;  // nothing of the comment need be kept
    if (at == limit_) {
      if (!more(at)) {
        return false;
      }
    } else if (*at == '\0') {
      ++at;
    } else {
      return true;
    }
  }
}

/// Moves `at` to the end of the word that it is in: a byte with the bit `end`, white space, or the
/// end of the input. False after an error.
bool Scanner::finish_word(const char*& at, CharBits end) {
  while (!has_bit(*at, end)) {
    if (at == limit_) {
      if (!more(at)) {
        return !has_failed_;
      }
    } else if (is_ascii(*at)) {
      ++at;
    } else {
      std::uint32_t code = 0;
      std::uint32_t length = 0;
      if (!decode(at, code, length)) {
        return false;
      }
      if (is_wide_space(code)) {
        return true;
      }
      at += length;
    }
  }
  return true;
}

/// Decodes the code point at `at`. False, after failing, if it is none.
bool Scanner::decode(const char*& at, std::uint32_t& code, std::uint32_t& length) {
  constexpr std::size_t kLongest = 4;
  ensure(at, kLongest);
  const CodePoint point = decode_utf8(view(at, limit_));
  if (point.length == 0) {
    fail(offset_of(at), "expected UTF-8, found an invalid byte sequence");
    return false;
  }
  code = point.code;
  length = point.length;
  return true;
}

}  // namespace elapid::edn
