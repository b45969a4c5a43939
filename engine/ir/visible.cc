#include "engine/ir/visible.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/ir/unseen.h"
#include "engine/ir/utf8.h"

namespace elapid {
namespace {

/// Characters that are invisible or change their neighbours; first and last of each range.
constexpr std::array<std::pair<char32_t, char32_t>, 16> kNotVisible = {{
    {0x00, 0x08},        // C0 but tab and newline
    {0x0b, 0x1f},        // the rest of C0
    {0x7f, 0x9f},        // DEL and C1
    {0xad, 0xad},        // soft hyphen
    {0x61c, 0x61c},      // Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers
    {0x180e, 0x180e},    // Mongolian vowel separator
    {0x200b, 0x200f},    // no width, and left-to-right and right-to-left marks
    {0x2028, 0x202e},    // separators of lines, embeddings and overrides
    {0x2060, 0x206f},    // word joiner, isolates, deprecated formats
    {0x3164, 0x3164},    // Hangul filler
    {0xd800, 0xdfff},    // halves of characters, which no document may hold
    {0xfe00, 0xfe0f},    // selectors of variants
    {0xfeff, 0xfeff},    // byte order mark
    {0xfffe, 0xffff},    // no characters, by Unicode's word and XML's
    {0xe0000, 0xe0fff},  // tags
}};

/// Length of the printable ASCII at the beginning, which most texts consist of.
std::size_t visible_length(std::string_view text) {
  const auto* end = std::ranges::find_if_not(text, [](char c) { return c >= ' ' && c <= '~'; });
  return static_cast<std::size_t>(end - text.begin());
}

/// `\u001b`, `\u{e0041}`.
void append_escape(char32_t code, std::string& out) {
  std::array<char, 8> digits = {};
  const auto end = std::to_chars(digits.begin(), digits.end(), std::uint32_t{code}, 16).ptr;
  const std::string_view hex(digits.data(), static_cast<std::size_t>(end - digits.data()));
  const bool is_long = hex.size() > 4;
  out += is_long ? "\\u{" : "\\u";
  out.append(is_long ? 0 : 4 - hex.size(), '0');
  out += hex;
  out += is_long ? "}" : "";
}

std::string escaped(std::string_view text, bool is_line) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const std::size_t plain = visible_length(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) {
      return out;
    }
    const auto [code, length] = first_character(text);
    if (length == 0) {
      out += kReplacementCharacter;
    } else if (is_line && (code == '\n' || code == '\t')) {
      out += code == '\n' ? "\\n" : "\\t";
    } else if (is_unseen(code)) {
      append_escape(code, out);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

}  // namespace

bool is_unseen(char32_t code) {
  return std::ranges::any_of(kNotVisible, [code](const auto& range) {
    return range.first <= code && code <= range.second;
  });
}

std::string visible(std::string_view text) {
  return escaped(text, false);
}

std::string visible_line(std::string_view text) {
  return escaped(text, true);
}

}  // namespace elapid
