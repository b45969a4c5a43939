#include "parsers/edn/utf8.h"

#include <bit>

namespace elapid::edn {

CodePoint decode_utf8(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  const auto lead = static_cast<std::uint8_t>(text[0]);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const auto length = static_cast<std::uint32_t>(std::countl_one(lead));
  if (length < 2 || length > 4 || text.size() < length) {
    return {};
  }
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if ((byte & 0xc0U) != 0x80) {
      return {};
    }
    code = (code << 6) | (byte & 0x3fU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[length] || code > 0x10ffff || is_surrogate(code)) {
    return {};
  }
  return {code, length};
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto put_tail = [&put, code](unsigned shift) { put(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put_tail(0);
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put_tail(6);
    put_tail(0);
  } else {
    put(0xf0 | (code >> 18));
    put_tail(12);
    put_tail(6);
    put_tail(0);
  }
}

}  // namespace elapid::edn
