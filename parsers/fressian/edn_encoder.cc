#include "parsers/fressian/edn_encoder.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/instant.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/string_text.h"
#include "parsers/edn/value_text.h"
#include "parsers/fressian/big_number.h"
#include "parsers/fressian/cesu8.h"
#include "parsers/fressian/hex.h"

namespace elapid::fressian {

using edn::TokenKind;

namespace {

/// More decimal digits might exceed kMaxBigBytes.
constexpr std::size_t kMaxDigits = 9'800;

/// The milliseconds since the epoch of a text of edn::append_instant.
std::int64_t milliseconds(const std::string& instant) {
  namespace chrono = std::chrono;
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int ms = 0;
  std::sscanf(instant.c_str(), "%d-%u-%uT%d:%d:%d.%d", &year, &month, &day, &hour, &minute, &second,
              &ms);
  const chrono::sys_days date(chrono::year(year) / chrono::month(month) / chrono::day(day));
  const auto time = chrono::hours(hour) + chrono::minutes(minute) + chrono::seconds(second) +
                    chrono::milliseconds(ms);
  return chrono::milliseconds(date.time_since_epoch() + time).count();
}

/// A canonical decimal without its M: its digits, and the number of those behind the point.
struct Decimal {
  std::string digits;
  std::int64_t scale = 0;
};

Decimal parse_decimal(std::string_view text) {
  Decimal decimal;
  const std::size_t exponent = text.find('E');
  if (exponent != std::string_view::npos) {
    std::string_view number = text.substr(exponent + 1);
    number.remove_prefix(number.starts_with('+') ? 1 : 0);
    std::from_chars(number.data(), number.data() + number.size(), decimal.scale);
    decimal.scale = -decimal.scale;
  }
  decimal.digits = text.substr(0, exponent);
  if (const std::size_t point = decimal.digits.find('.'); point != std::string::npos) {
    decimal.scale += static_cast<std::int64_t>(decimal.digits.size() - point - 1);
    decimal.digits.erase(point, 1);
  }
  // Readers would take a leading zero for the mark of an octal number.
  const std::size_t first = decimal.digits.starts_with('-') ? 1 : 0;
  const std::size_t significant = decimal.digits.find_first_not_of('0', first);
  decimal.digits.erase(first, std::min(significant, decimal.digits.size() - 1) - first);
  return decimal;
}

class FormEncoder {
 public:
  FormEncoder(edn::Scanner& scanner, Encoder& out) : scanner_(scanner), out_(out) {}

  /// Writes the form that begins with the current token. Recursion is limited by
  /// edn::kMaxFormDepth.
  bool write() {
    const edn::Token& token = scanner_.token();
    switch (token.kind) {
      case TokenKind::kNil:
        out_.null();
        return true;
      case TokenKind::kTrue:
      case TokenKind::kFalse:
        out_.boolean(token.kind == TokenKind::kTrue);
        return true;
      case TokenKind::kInteger:
        out_.integer(token.integer);
        return true;
      case TokenKind::kFloat:
        write_float(token.text);
        return true;
      case TokenKind::kKeyword:
        out_.keyword(token.text.substr(1));
        return true;
      case TokenKind::kSymbol:
        out_.symbol(token.text);
        return true;
      case TokenKind::kString:
        out_.string(cesu8(token.text));
        return true;
      case TokenKind::kCharacter:
        out_.begin_struct("char", 1);
        out_.integer(edn::character_code(token.text).value_or(0));
        return true;
      case TokenKind::kBigInteger:
      case TokenKind::kDecimal:
      case TokenKind::kRatio:
        return write_big(token);
      default:
        return write_nested();
    }
  }

  [[nodiscard]] const Error& problem() const { return problem_; }

 private:
  static std::string cesu8(std::string_view token) {
    std::string bytes;
    append_cesu8(token, bytes);
    return bytes;
  }

  void write_float(std::string_view text) {
    const std::string_view name = text.starts_with("##") ? text.substr(2) : text;
    out_.real(std::strtod(std::string(name).c_str(), nullptr));
  }

  bool write_big(const edn::Token& token) {
    const std::string_view text = token.text;
    if (text.size() > kMaxDigits) {
      return fail("expected a number of at most " + std::to_string(kMaxDigits) + " digits");
    }
    if (token.kind == TokenKind::kBigInteger) {
      write_integer(text.substr(0, text.size() - 1));
    } else if (token.kind == TokenKind::kDecimal) {
      const Decimal decimal = parse_decimal(text.substr(0, text.size() - 1));
      out_.big_decimal(big_bytes(decimal.digits), static_cast<std::int32_t>(decimal.scale));
    } else {
      const std::size_t slash = text.find('/');
      out_.begin_struct("ratio", 2);
      write_integer(text.substr(0, slash));
      write_integer(text.substr(slash + 1));
    }
    return true;
  }

  void write_integer(std::string_view digits) {
    std::int64_t value = 0;
    const char* const end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, value).ec == std::errc{}) {
      out_.integer(value);
    } else {
      out_.big_integer(big_bytes(digits));
    }
  }

  bool write_nested() {
    const TokenKind kind = scanner_.token().kind;
    if (!edn::is_open(kind) && kind != TokenKind::kTag) {
      return fail("expected a form, found " + describe(scanner_.token()));
    }
    if (depth_ == edn::kMaxFormDepth) {
      return fail("expected a form with at most " + std::to_string(edn::kMaxFormDepth) +
                  " levels, found more");
    }
    ++depth_;
    const bool is_written = kind == TokenKind::kTag
                                ? write_tagged(std::string(scanner_.token().text))
                                : write_collection(kind);
    --depth_;
    return is_written;
  }

  bool write_collection(TokenKind kind) {
    const bool is_set = kind == TokenKind::kOpenSet;
    if (is_set) {
      out_.begin_struct("persistent-hash-set", 1);
    }
    bool is_empty = edn::is_close(scanner_.next());
    if (is_set && is_empty) {
      out_.null();
      return true;
    }
    kind == TokenKind::kOpenMap ? out_.begin_map() : out_.begin_list();
    for (; !is_empty; is_empty = edn::is_close(scanner_.next())) {
      if (!write()) {
        return false;
      }
    }
    out_.end_list();
    return true;
  }

  bool write_tagged(const std::string& tag) {
    scanner_.next();
    const edn::Token& token = scanner_.token();
    if (token.kind == TokenKind::kString && write_literal(tag, token.text)) {
      return true;
    }
    out_.begin_struct(tag, 1);
    return write();
  }

  /// Writes a tag and a string that form one object in Fressian.
  bool write_literal(const std::string& tag, std::string_view token) {
    const std::string_view inside = token.substr(1, token.size() - 2);
    std::string text;
    if (tag == "inst" && edn::append_instant(inside, text)) {
      out_.instant(milliseconds(text));
      return true;
    }
    if (tag == "uuid" && edn::append_uuid(inside, text)) {
      std::erase(text, '-');
      out_.uuid(unhex(text));
      return true;
    }
    if (tag == "bytes" && is_hex(inside)) {
      out_.bytes(unhex(inside));
      return true;
    }
    return false;
  }

  bool fail(std::string message) {
    problem_ = malformed_at(scanner_.token().offset, std::move(message));
    return false;
  }

  edn::Scanner& scanner_;
  Encoder& out_;
  std::size_t depth_ = 0;
  Error problem_;
};

}  // namespace

Status encode_edn(std::string_view form, Encoder& out) {
  constexpr std::size_t kWindow = 4096;
  const auto source = memory_source({}, std::string(form));
  edn::Scanner scanner(*source, 0, kWindow);
  scanner.next();
  FormEncoder encoder(scanner, out);
  if (!encoder.write()) {
    return scanner.token().kind == TokenKind::kError ? scanner.error() : encoder.problem();
  }
  return {};
}

}  // namespace elapid::fressian
