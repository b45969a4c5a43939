#include "parsers/edn/string_text.h"

#include <array>
#include <charconv>

#include "parsers/edn/utf8.h"

namespace elapid::edn {

namespace {

struct NamedCharacter {
  std::string_view name;
  char code;
};

constexpr std::array<NamedCharacter, 6> kNamedCharacters = {{{"newline", '\n'},
                                                             {"space", ' '},
                                                             {"tab", '\t'},
                                                             {"backspace", '\b'},
                                                             {"formfeed", '\f'},
                                                             {"return", '\r'}}};

/// Escapes of one letter, and the characters that they stand for.
constexpr std::string_view kEscapeLetters = "\"\\ntrfb";
constexpr std::string_view kEscapedCodes = "\"\\\n\t\r\f\b";

/// Takes an escape sequence, without its backslash, from the front of `rest`.
std::uint32_t take_escape(std::string_view& rest) {
  const std::size_t letter = kEscapeLetters.find(rest.front());
  if (letter != std::string_view::npos) {
    rest.remove_prefix(1);
    return static_cast<std::uint8_t>(kEscapedCodes[letter]);
  }
  const bool is_unicode = rest.front() == 'u';
  const std::string_view digits = is_unicode ? rest.substr(1, 4) : rest.substr(0, 3);
  std::uint32_t code = 0;
  const auto parsed =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, is_unicode ? 16 : 8);
  rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
  return code;
}

bool is_high_surrogate(std::uint32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

bool is_low_surrogate(std::uint32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

/// Takes an escape. If it is the first half of a surrogate pair, takes the other half too.
std::uint32_t take_escaped_code(std::string_view& rest) {
  const std::uint32_t high = take_escape(rest);
  if (!is_high_surrogate(high) || !rest.starts_with("\\u")) {
    return high;
  }
  std::string_view behind = rest.substr(1);
  const std::uint32_t low = take_escape(behind);
  if (!is_low_surrogate(low)) {
    return high;
  }
  rest = behind;
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

/// The characters that are escaped, and the backslash.
constexpr std::string_view kSpecial = "\\\n\t\r\f\b";

void append_in_string(std::uint32_t code, std::string& out) {
  const std::size_t letter =
      code < 0x80 ? kEscapedCodes.find(static_cast<char>(code)) : std::string_view::npos;
  if (letter != std::string_view::npos) {
    out += '\\';
    out += kEscapeLetters[letter];
  } else if (is_surrogate(code)) {
    std::array<char, 4> digits;
    std::to_chars(digits.data(), digits.data() + digits.size(), code, 16);
    out += "\\u";
    out.append(digits.data(), digits.size());
  } else {
    append_utf8(code, out);
  }
}

}  // namespace

std::optional<std::uint32_t> parse_code(std::string_view digits, int radix) {
  std::uint32_t code = 0;
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, code, radix);
  return parsed.ec == std::errc{} && parsed.ptr == end ? std::optional(code) : std::nullopt;
}

std::optional<std::uint32_t> character_code(std::string_view token) {
  const std::string_view name = token.substr(1);
  constexpr std::uint32_t kLastInOneUnit = 0xffff;
  if (const CodePoint first = decode_utf8(name);
      first.length == name.size() && first.code <= kLastInOneUnit) {
    return first.code;
  }
  for (const NamedCharacter& named : kNamedCharacters) {
    if (name == named.name) {
      return static_cast<std::uint8_t>(named.code);
    }
  }
  if (name.starts_with('u') && name.size() == 5) {
    const auto code = parse_code(name.substr(1), 16);
    return code && !is_surrogate(*code) ? code : std::nullopt;
  }
  if (name.starts_with('o') && name.size() <= 4) {
    const auto code = parse_code(name.substr(1), 8);
    return code && *code <= 0377 ? code : std::nullopt;
  }
  return std::nullopt;
}

void append_character(std::uint32_t code, std::string& out) {
  out += '\\';
  for (const NamedCharacter& named : kNamedCharacters) {
    if (code == static_cast<std::uint8_t>(named.code)) {
      out += named.name;
      return;
    }
  }
  append_utf8(code, out);
}

bool is_printed_string(std::string_view token) {
  return token.find_first_of(kSpecial) == std::string_view::npos;
}

void append_string(std::string_view token, std::string& out) {
  std::string_view rest = token.substr(1, token.size() - 2);
  out.reserve(out.size() + token.size());  // avoids a copy of a long text when it grows
  out += '"';
  while (!rest.empty()) {
    const std::size_t plain = std::min(rest.find_first_of(kSpecial), rest.size());
    out += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (rest.empty()) {
      break;
    }
    const char special = rest.front();
    rest.remove_prefix(1);
    append_in_string(special == '\\' ? take_escaped_code(rest) : static_cast<std::uint8_t>(special),
                     out);
  }
  out += '"';
}

void append_regex(std::string_view token, std::string& out) {
  std::string quoted = "\"";
  for (const char c : token.substr(2, token.size() - 3)) {
    quoted += c == '"' || c == '\\' ? "\\" : "";
    quoted += c;
  }
  quoted += '"';
  out += "#regex ";
  append_string(quoted, out);
}

}  // namespace elapid::edn
