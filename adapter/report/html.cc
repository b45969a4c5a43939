#include "adapter/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "engine/ir/utf8.h"

namespace elapid {
namespace {

/// Characters that are not seen, and order others about; first and last of each range.
constexpr std::array<std::pair<char32_t, char32_t>, 16> kUnseen = {{
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

bool is_unseen(char32_t code) {
  return std::ranges::any_of(
      kUnseen, [code](const auto& range) { return range.first <= code && code <= range.second; });
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    if (length == 0) {
      out += kReplacementCharacter;
    } else if (is_unseen(code)) {
      const auto number = static_cast<std::uint32_t>(code);
      out +=
          number > 0xffff ? fmt::format("\\u{{{:x}}}", number) : fmt::format("\\u{:04x}", number);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : visible(text)) {
    const std::string_view escaped = entity(c);
    escaped.empty() ? out.push_back(c) : void(out += escaped);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::string beginning(beginning_of(text, most));
  return beginning.size() == text.size() ? beginning : beginning + "…";
}

}  // namespace elapid
