#include "parsers/fressian/cesu8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "parsers/edn/string_text.h"
#include "parsers/edn/utf8.h"

namespace elapid::fressian {

namespace {

constexpr std::string_view kEscapeLetters = "\"\\ntrfb";
constexpr std::string_view kEscapedCodes = "\"\\\n\t\r\f\b";

bool is_plain(char c) {
  return static_cast<unsigned char>(c) < 0x80 && kEscapedCodes.find(c) == std::string_view::npos;
}

bool is_high_surrogate(std::uint32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

bool is_low_surrogate(std::uint32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

/// Takes the low six bits of a byte that continues a unit.
bool take_tail(std::string_view& rest, std::uint32_t& unit) {
  const auto byte = rest.empty() ? 0U : static_cast<unsigned char>(rest.front());
  if ((byte & 0xc0U) != 0x80) {
    return false;
  }
  unit = unit << 6 | (byte & 0x3fU);
  rest.remove_prefix(1);
  return true;
}

/// Takes a UTF-16 unit from the front of `rest`, which is not empty.
std::optional<std::uint32_t> take_unit(std::string_view& rest) {
  const auto lead = static_cast<unsigned char>(rest.front());
  rest.remove_prefix(1);
  if (lead < 0x80) {
    return lead;
  }
  std::uint32_t unit = lead & 0x1fU;
  if (lead >= 0xc0 && lead < 0xe0) {
    return take_tail(rest, unit) ? std::optional(unit) : std::nullopt;
  }
  unit = lead & 0x0fU;
  const bool is_long = lead >= 0xe0 && lead < 0xf0;
  return is_long && take_tail(rest, unit) && take_tail(rest, unit) ? std::optional(unit)
                                                                   : std::nullopt;
}

/// Takes one character: a unit, or two that are a surrogate pair.
std::optional<std::uint32_t> take_code(std::string_view& rest) {
  const auto high = take_unit(rest);
  if (!high || !is_high_surrogate(*high) || rest.empty()) {
    return high;
  }
  std::string_view behind = rest;
  const auto low = take_unit(behind);
  if (!low || !is_low_surrogate(*low)) {
    return high;
  }
  rest = behind;
  return 0x10000 + ((*high - 0xd800) << 10) + (*low - 0xdc00);
}

void append_code(std::uint32_t code, std::string& out) {
  const std::size_t letter =
      code < 0x80 ? kEscapedCodes.find(static_cast<char>(code)) : std::string_view::npos;
  if (letter != std::string_view::npos) {
    out += '\\';
    out += kEscapeLetters[letter];
  } else if (edn::is_surrogate(code)) {
    std::array<char, 8> escape;
    const int length = std::snprintf(escape.data(), escape.size(), "\\u%04x", code);
    out.append(escape.data(), static_cast<std::size_t>(length));
  } else {
    edn::append_utf8(code, out);
  }
}

/// Appends a unit by itself: edn::append_utf8 accepts surrogates.
void append_unit(std::uint32_t unit, std::string& out) {
  edn::append_utf8(unit, out);
}

void append_units(std::uint32_t code, std::string& out) {
  if (code < 0x10000) {
    append_unit(code, out);
    return;
  }
  append_unit(0xd800 + ((code - 0x10000) >> 10), out);
  append_unit(0xdc00 + ((code - 0x10000) & 0x3ffU), out);
}

/// Takes an escape of edn::append_string, without its backslash.
std::uint32_t take_escape(std::string_view& rest) {
  const std::size_t letter = kEscapeLetters.find(rest.front());
  const std::size_t length = letter == std::string_view::npos ? 5 : 1;
  const std::string_view escape = rest.substr(0, length);
  rest.remove_prefix(length);
  return length == 1 ? static_cast<unsigned char>(kEscapedCodes[letter])
                     : edn::parse_code(escape.substr(1), 16).value_or(0);
}

}  // namespace

bool append_quoted(std::string_view cesu8, std::string& out) {
  out += '"';
  while (!cesu8.empty()) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(cesu8.begin(), cesu8.end(), is_plain) - cesu8.begin());
    out += cesu8.substr(0, plain);
    cesu8.remove_prefix(plain);
    if (cesu8.empty()) {
      break;
    }
    const auto code = take_code(cesu8);
    if (!code) {
      return false;
    }
    append_code(*code, out);
  }
  out += '"';
  return true;
}

void append_cesu8(std::string_view token, std::string& out) {
  std::string printed;
  edn::append_string(token, printed);
  std::string_view rest = std::string_view(printed).substr(1, printed.size() - 2);
  while (!rest.empty()) {
    if (rest.front() == '\\') {
      rest.remove_prefix(1);
      append_unit(take_escape(rest), out);
      continue;
    }
    const edn::CodePoint point = edn::decode_utf8(rest);
    append_units(point.code, out);
    rest.remove_prefix(point.length);
  }
}

}  // namespace elapid::fressian
