#include "engine/ir/utf8.h"

namespace elapid {

Utf8Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || text.size() < length) {
    return {};
  }
  constexpr unsigned kLeadBits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t code = lead & kLeadBits[length];
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      return {};
    }
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return code < kLeast[length] ? Utf8Character{} : Utf8Character{code, length};
}

std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) {
    return text;
  }
  constexpr auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; };
  while (most > 0 && is_inside(text[most])) {
    --most;
  }
  return text.substr(0, most);
}

std::string shortened(std::string_view text, std::size_t most) {
  const std::string_view beginning = beginning_of(text, most);
  return std::string(beginning) + (beginning.size() < text.size() ? "…" : "");
}

std::string as_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    out += length == 0 ? kReplacementCharacter : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace elapid
