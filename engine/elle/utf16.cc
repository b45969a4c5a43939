#include "engine/elle/utf16.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace elapid::elle {

namespace {

/// Takes a code point from the front of valid UTF-8.
std::uint32_t take_code(std::string_view& text) {
  const auto byte = [&text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  std::uint32_t code = length == 1 ? lead : lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length && i < text.size(); ++i) {
    code = (code << 6) | (byte(i) & 0x3fU);
  }
  text.remove_prefix(std::min(length, text.size()));
  return code;
}

void append(std::uint32_t code, std::u16string& out) {
  if (code < 0x10000) {
    out += static_cast<char16_t>(code);
  } else {
    out += static_cast<char16_t>(0xd800 + ((code - 0x10000) >> 10));
    out += static_cast<char16_t>(0xdc00 + ((code - 0x10000) & 0x3ffU));
  }
}

std::uint32_t take_hexadecimal(std::string_view& text) {
  const std::string_view digits = text.substr(0, 4);
  std::uint32_t code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  text.remove_prefix(digits.size());
  return code;
}

/// What an escape stands for; takes it, behind its backslash.
std::uint32_t take_escape(std::string_view& text) {
  constexpr std::string_view kLetters = "ntrfb";
  constexpr std::string_view kCodes = "\n\t\r\f\b";
  const std::uint32_t code = take_code(text);
  if (code == 'u') {
    return take_hexadecimal(text);
  }
  const std::size_t letter = kLetters.find(static_cast<char>(code));
  return letter == std::string_view::npos ? code : static_cast<std::uint8_t>(kCodes[letter]);
}

}  // namespace

std::u16string utf16(std::string_view text) {
  std::u16string out;
  while (!text.empty()) {
    append(take_code(text), out);
  }
  return out;
}

std::u16string utf16_of_string(std::string_view token) {
  std::string_view text = token.substr(1, token.size() - 2);
  std::u16string out;
  while (!text.empty()) {
    const std::uint32_t code = take_code(text);
    append(code == '\\' && !text.empty() ? take_escape(text) : code, out);
  }
  return out;
}

char16_t utf16_of_character(std::string_view token) {
  using Name = std::pair<std::string_view, char16_t>;
  constexpr std::array kNames = {Name{"newline", u'\n'},  Name{"space", u' '},
                                 Name{"tab", u'\t'},      Name{"return", u'\r'},
                                 Name{"formfeed", u'\f'}, Name{"backspace", u'\b'}};
  std::string_view text = token.substr(1);
  for (const auto& [name, code] : kNames) {
    if (text == name) {
      return code;
    }
  }
  if (text.size() > 1 && text.front() == 'u') {
    text.remove_prefix(1);
    return static_cast<char16_t>(take_hexadecimal(text));
  }
  return text.empty() ? u'\\' : static_cast<char16_t>(take_code(text));
}

}  // namespace elapid::elle
