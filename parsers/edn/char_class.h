// The class of each byte for the scanner, as bits of one table.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace elapid::edn {

enum CharBits : std::uint8_t {
  kSpaceBit = 1,       ///< white space below U+0080, comma included
  kEndsTokenBit = 2,   ///< white space or a terminating macro character: ends any token
  kEndsNumberBit = 4,  ///< ends a number: as kEndsTokenBit, or `#`
  kPlainBit = 8,       ///< needs no special care in a symbol or keyword
  kStringBit = 16,     ///< needs no special care in a string
};

/// NUL has no bits, because it may be the end of the window. Bytes from U+0080 on have none either.
inline constexpr std::array<std::uint8_t, 256> kCharBits = [] {
  std::array<std::uint8_t, 256> bits{};
  for (std::size_t c = 1; c < 128; ++c) {
    bits[c] = kPlainBit | kStringBit;
  }
  const auto set = [&bits](std::string_view chars, int value) {
    for (const char c : chars) {
      bits[static_cast<std::uint8_t>(c)] = static_cast<std::uint8_t>(value);
    }
  };
  set("\t\n\v\f\r\x1c\x1d\x1e\x1f ,", kSpaceBit | kEndsTokenBit | kEndsNumberBit | kStringBit);
  set(";^()[]{}", kEndsTokenBit | kEndsNumberBit | kStringBit);
  set("\"\\", kEndsTokenBit | kEndsNumberBit);
  set("#", kEndsNumberBit | kPlainBit | kStringBit);
  set("/:@`~", kStringBit);
  return bits;
}();

constexpr bool has_bit(char c, CharBits bit) {
  return (kCharBits[static_cast<std::uint8_t>(c)] & bit) != 0;
}

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_ascii(char c) {
  return static_cast<std::uint8_t>(c) < 0x80;
}

/// Java's Character.isWhitespace beyond U+007F.
constexpr bool is_wide_space(std::uint32_t code) {
  return code == 0x1680 || (code >= 0x2000 && code <= 0x200a && code != 0x2007) || code == 0x2028 ||
         code == 0x2029 || code == 0x205f || code == 0x3000;
}

}  // namespace elapid::edn
