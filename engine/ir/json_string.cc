#include "engine/ir/json_string.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/ir/unseen.h"
#include "engine/ir/utf8.h"

namespace elapid {

namespace {

void append_escape(std::uint32_t unit, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) {
    out += kHex[unit >> static_cast<unsigned>(shift) & 15U];
  }
}

/// Length of the beginning that stands in a JSON string as it is.
std::size_t plain_length(std::string_view text) {
  const auto* end = std::ranges::find_if_not(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  return static_cast<std::size_t>(end - text.begin());
}

}  // namespace

void append_json_text(std::string_view text, std::string& out) {
  for (;;) {
    const std::size_t plain = plain_length(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) {
      return;
    }
    const auto [code, length] = first_character(text);
    if (length == 0) {
      out += kReplacementCharacter;
    } else if (code == '"' || code == '\\') {
      out += '\\';
      out += text.front();
    } else if (code > 0xffff && is_unseen(code)) {
      append_escape(0xd800 + ((code - 0x10000) >> 10U), out);
      append_escape(0xdc00 + (code & 0x3ffU), out);
    } else if (code < 0x20 || is_unseen(code)) {
      append_escape(code, out);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  append_json_text(text, out);
  out += '"';
}

std::string json_quoted(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

}  // namespace elapid
