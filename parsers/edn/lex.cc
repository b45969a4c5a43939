// The lexical part of the scanner: a function for each kind of token. The short functions read the
// usual text of histories and stop at the first unusual byte. The `odd` functions start again and
// read any token. Strings, and tokens that begin with `#`, have files of their own.

#include <utility>

#include "parsers/edn/name.h"
#include "parsers/edn/number.h"
#include "parsers/edn/scanner.h"
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

/// The next token, including marks of discard and metadata.
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
    return fail(offset_of(begin_), "expected a keyword or symbol, found " + in_quotes(text));
  }
  return finish(*begin_ == ':' ? TokenKind::kKeyword : constant_or_symbol(text), at);
}

/// Skips the rest of a line. False if the input ends in it.
bool Scanner::skip_comment(const char*& at) {
  while (true) {
    while (*at != '\n' && *at != '\r' && *at != '\0') {
      ++at;
    }
    begin_ = at;  // the comment's text is not kept
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

/// Moves `at` to the end of its word: a byte with the bit `end`, white space, or the end of the
/// input. False after an error.
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

/// Decodes the code point at `at`. False after an error.
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
