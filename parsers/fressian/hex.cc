#include "parsers/fressian/hex.h"

#include <charconv>

namespace elapid::fressian {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

void append_hex(std::string_view bytes, std::string& out) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xfU];
  }
}

bool is_hex(std::string_view text) {
  return text.size() % 2 == 0 && text.find_first_not_of(kDigits) == std::string_view::npos;
}

std::string unhex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace elapid::fressian
