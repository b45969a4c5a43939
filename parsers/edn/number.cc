#include "parsers/edn/number.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "parsers/edn/char_class.h"

namespace elapid::edn {

namespace {

using BigInteger = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>,
                                                 boost::multiprecision::et_off>;

/// Conversion between radices takes quadratic time, so it is limited to numbers of this length.
constexpr std::size_t kMaxConvertedDigits = 10'000;

/// Takes the digits from the front of `rest`.
std::string_view take_digits(std::string_view& rest) {
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
  const auto count = static_cast<std::size_t>(end - rest.begin());
  const std::string_view digits = rest.substr(0, count);
  rest.remove_prefix(count);
  return digits;
}

bool take(std::string_view& rest, std::string_view any_of) {
  if (rest.empty() || any_of.find(rest.front()) == std::string_view::npos) {
    return false;
  }
  rest.remove_prefix(1);
  return true;
}

/// Takes a sign, and returns whether it is a minus.
bool take_sign(std::string_view& rest) {
  const bool is_negative = rest.starts_with('-');
  take(rest, "+-");
  return is_negative;
}

int digit_value(char c) {
  if (is_digit(c)) {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99;
}

bool all_below(std::string_view digits, int radix) {
  return !digits.empty() && std::all_of(digits.begin(), digits.end(),
                                        [radix](char c) { return digit_value(c) < radix; });
}

/// The parts of an integer token.
struct IntegerForm {
  bool is_negative = false;
  int radix = 10;
  std::string_view digits = {};
  bool has_suffix = false;  // N
};

/// A form such as `36rZZ`, in which a final N is a digit.
std::optional<IntegerForm> parse_radix_form(std::string_view body, bool is_negative) {
  std::string_view rest = body;
  const std::string_view prefix = take_digits(rest);
  if (prefix.empty() || prefix.size() > 2 || prefix.front() == '0' || !take(rest, "rR")) {
    return std::nullopt;
  }
  const int radix = prefix.size() == 1 ? digit_value(prefix[0])
                                       : digit_value(prefix[0]) * 10 + digit_value(prefix[1]);
  if (radix < 2 || radix > 36 || !all_below(rest, radix)) {
    return std::nullopt;
  }
  return IntegerForm{is_negative, radix, rest, false};
}

std::optional<IntegerForm> parse_integer_form(std::string_view text) {
  const bool is_negative = take_sign(text);
  if (const auto form = parse_radix_form(text, is_negative)) {
    return form;
  }
  IntegerForm form{is_negative, 10, text, text.ends_with('N')};
  if (form.has_suffix) {
    form.digits.remove_suffix(1);
  }
  if (form.digits.starts_with("0x") || form.digits.starts_with("0X")) {
    form.radix = 16;
    form.digits.remove_prefix(2);
  } else if (form.digits.size() > 1 && form.digits.front() == '0') {
    form.radix = 8;
    form.digits.remove_prefix(1);
  }
  return all_below(form.digits, form.radix) ? std::optional(form) : std::nullopt;
}

/// The value, if it fits into 64 bits.
std::optional<std::int64_t> to_int64(const IntegerForm& form) {
  std::uint64_t magnitude = 0;
  const char* const end = form.digits.data() + form.digits.size();
  const auto parsed = std::from_chars(form.digits.data(), end, magnitude, form.radix);
  const std::uint64_t limit =
      std::uint64_t{std::numeric_limits<std::int64_t>::max()} + (form.is_negative ? 1 : 0);
  if (parsed.ec != std::errc{} || magnitude > limit) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(form.is_negative ? 0 - magnitude : magnitude);
}

/// The parts of `12.50e-3M`.
struct DecimalForm {
  bool is_negative = false;
  std::string_view whole = {};
  std::string_view fraction = {};
  std::int64_t exponent = 0;  // saturated far outside 32 bits
  bool has_suffix = false;    // M
};

std::optional<std::int64_t> take_exponent(std::string_view& rest) {
  const bool is_negative = take_sign(rest);
  const std::string_view digits = take_digits(rest);
  if (digits.empty()) {
    return std::nullopt;
  }
  std::int64_t exponent = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  constexpr std::int64_t kFar = std::int64_t{1} << 48;
  exponent = parsed.ec == std::errc{} ? std::min(exponent, kFar) : kFar;
  return is_negative ? -exponent : exponent;
}

std::optional<DecimalForm> parse_decimal_form(std::string_view text) {
  DecimalForm form;
  form.is_negative = take_sign(text);
  form.whole = take_digits(text);
  if (form.whole.empty()) {
    return std::nullopt;
  }
  if (take(text, ".")) {
    form.fraction = take_digits(text);
  }
  if (take(text, "eE")) {
    const auto exponent = take_exponent(text);
    if (!exponent) {
      return std::nullopt;
    }
    form.exponent = *exponent;
  }
  form.has_suffix = take(text, "M");
  return text.empty() ? std::optional(form) : std::nullopt;
}

std::int64_t scale_of(const DecimalForm& form) {
  return static_cast<std::int64_t>(form.fraction.size()) - form.exponent;
}

struct RatioForm {
  bool is_negative = false;
  std::string_view numerator = {};
  std::string_view denominator = {};
};

std::optional<RatioForm> parse_ratio_form(std::string_view text) {
  RatioForm form;
  form.is_negative = take_sign(text);
  form.numerator = take_digits(text);
  if (form.numerator.empty() || !take(text, "/")) {
    return std::nullopt;
  }
  form.denominator = take_digits(text);
  return text.empty() && !form.denominator.empty() ? std::optional(form) : std::nullopt;
}

BigInteger to_big_integer(std::string_view digits, int radix) {
  BigInteger value = 0;
  for (const char digit : digits) {
    value = value * radix + digit_value(digit);
  }
  return value;
}

Number no_number(std::string_view text) {
  return {.problem = "expected a number, found " + in_quotes(text)};
}

Number too_long(std::string_view text) {
  return {.problem = "expected at most " + std::to_string(kMaxConvertedDigits) +
                     " digits in a ratio or an integer that is not decimal, found " +
                     in_quotes(text)};
}

Number classify_integer(const IntegerForm& form, std::string_view text) {
  if (const auto value = to_int64(form)) {
    return {TokenKind::kInteger, *value};
  }
  if (form.radix != 10 && form.digits.size() > kMaxConvertedDigits) {
    return too_long(text);
  }
  return {TokenKind::kBigInteger};
}

Number classify_decimal(const DecimalForm& form, std::string_view text) {
  if (!form.has_suffix) {
    return {TokenKind::kFloat};
  }
  if (scale_of(form) != static_cast<std::int32_t>(scale_of(form))) {
    return {.problem = "expected an exponent that fits 32 bits, found " + in_quotes(text)};
  }
  return {TokenKind::kDecimal};
}

Number classify_ratio(const RatioForm& form, std::string_view text) {
  if (text.size() > kMaxConvertedDigits) {
    return too_long(text);
  }
  if (form.denominator.find_first_not_of('0') == std::string_view::npos) {
    return {.problem = "expected a denominator other than zero, found " + in_quotes(text)};
  }
  return {TokenKind::kRatio};
}

void append_big_integer(std::string_view text, std::string& out) {
  const auto form = parse_integer_form(text);
  if (!form) {
    return;
  }
  out += form->is_negative ? "-" : "";
  if (form->radix == 10) {
    out += form->digits;
  } else {
    out += to_big_integer(form->digits, form->radix).str();
  }
  out += 'N';
}

/// Java's Double.toString: plain digits from 1e-3 up to 1e7, else `d.dddE-n`. A digit always
/// follows the point.
void append_double(double value, std::string& out) {
  if (std::isinf(value)) {
    out += value > 0 ? "##Inf" : "##-Inf";
    return;
  }
  const double magnitude = std::abs(value);
  const bool is_plain = magnitude == 0 || (magnitude >= 1e-3 && magnitude < 1e7);
  char buffer[64];
  const auto format = is_plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, value, format);
  std::string_view digits(buffer, static_cast<std::size_t>(written.ptr - buffer));
  const std::string_view mantissa = digits.substr(0, digits.find('e'));
  out += mantissa;
  if (mantissa.find('.') == std::string_view::npos) {
    out += ".0";
  }
  if (is_plain) {
    return;
  }
  digits.remove_prefix(mantissa.size() + 1);
  out += 'E';
  out += take_sign(digits) ? "-" : "";
  out += digits.starts_with('0') ? digits.substr(1) : digits;  // at least two digits: `e+07`
}

void append_float(std::string_view text, TextStyle style, std::string& out) {
  if (text.starts_with('#')) {
    out += text;
    return;
  }
  // Unlike from_chars, strtod returns infinity or zero beyond the range.
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  append_double(style == TextStyle::kCanonical && value == 0 ? 0.0 : value, out);
}

/// Java's BigDecimal.toString of `digits` * 10^-scale.
void append_scaled(std::string_view digits, std::int64_t scale, std::string& out) {
  const auto count = static_cast<std::int64_t>(digits.size());
  const std::int64_t exponent = count - 1 - scale;
  if (scale < 0 || exponent < -6) {
    out += digits.front();
    if (count > 1) {
      out += '.';
      out += digits.substr(1);
    }
    out += exponent < 0 ? "E" : "E+";
    out += std::to_string(exponent);
    return;
  }
  const auto whole = static_cast<std::size_t>(std::max<std::int64_t>(count - scale, 0));
  out += whole == 0 ? "0" : digits.substr(0, whole);
  if (scale > 0) {
    out += '.';
    out.append(static_cast<std::size_t>(std::max<std::int64_t>(scale - count, 0)), '0');
    out += digits.substr(whole);
  }
}

/// In print the scale of a decimal counts; in canonical text 1.50M is 1.5M.
void append_decimal(std::string_view text, TextStyle style, std::string& out) {
  const auto form = parse_decimal_form(text);
  if (!form) {
    return;
  }
  std::string digits = std::string(form->whole) + std::string(form->fraction);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  std::int64_t scale = scale_of(*form);
  const bool is_zero = digits == "0";
  if (style == TextStyle::kCanonical) {
    const std::size_t kept = is_zero ? 1 : digits.find_last_not_of('0') + 1;
    scale = is_zero ? 0 : scale - static_cast<std::int64_t>(digits.size() - kept);
    digits.resize(kept);
  }
  out += form->is_negative && !is_zero ? "-" : "";
  append_scaled(digits, scale, out);
  out += 'M';
}

void append_ratio(std::string_view text, std::string& out) {
  const auto form = parse_ratio_form(text);
  if (!form) {
    return;
  }
  const BigInteger numerator = to_big_integer(form->numerator, 10);
  const BigInteger denominator = to_big_integer(form->denominator, 10);
  const BigInteger divisor = gcd(numerator, denominator);
  std::string digits = (numerator / divisor).str();
  out += form->is_negative && numerator != 0 ? "-" : "";
  out += digits;
  if (divisor != denominator) {
    out += '/' + (denominator / divisor).str();
  } else if (!to_int64({form->is_negative, 10, digits, false})) {
    out += 'N';
  }
}

}  // namespace

Number classify_number(std::string_view text) {
  if (const auto form = parse_integer_form(text)) {
    return classify_integer(*form, text);
  }
  if (const auto form = parse_decimal_form(text)) {
    const bool is_bad_octal = text.find_first_not_of("+-0123456789") == std::string_view::npos;
    return is_bad_octal ? no_number(text) : classify_decimal(*form, text);
  }
  if (const auto form = parse_ratio_form(text)) {
    return classify_ratio(*form, text);
  }
  return no_number(text);
}

void append_number(const Token& token, TextStyle style, std::string& out) {
  switch (token.kind) {
    case TokenKind::kInteger: {
      out += std::to_string(token.integer);
      out += style == TextStyle::kPrinted && token.text.ends_with('N') &&
                     parse_integer_form(token.text).value_or(IntegerForm()).has_suffix
                 ? "N"
                 : "";
      break;
    }
    case TokenKind::kBigInteger:
      append_big_integer(token.text, out);
      break;
    case TokenKind::kDecimal:
      append_decimal(token.text, style, out);
      break;
    case TokenKind::kRatio:
      append_ratio(token.text, out);
      break;
    default:
      append_float(token.text, style, out);
  }
}

}  // namespace elapid::edn
