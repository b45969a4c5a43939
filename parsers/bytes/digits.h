// Decimal digits, eight at a time in one machine word and without a branch a digit.
//
// Tokens of histories are shorter than a vector register, so a word suffices instead of SSE.
// Method: Lamport, "Multiple byte processing with full-word instructions", CACM 18(8), 1975.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "parsers/bytes/word.h"

// Inlining is forced, because calls cost as much as the digits. It is not forced for
// AddressSanitizer: GCC 12 does not release the variables of functions that it must inline.
#if defined(__SANITIZE_ADDRESS__)
#define ELAPID_INLINE_DIGITS inline
#else
#define ELAPID_INLINE_DIGITS [[gnu::always_inline]] inline
#endif

namespace elapid {

/// Whether `c` is a decimal digit.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The digits at the beginning of a text.
struct Digits {
  std::uint64_t value = 0;
  std::size_t count = 0;
};

/// At most eight digits; eight bytes must be readable.
ELAPID_INLINE_DIGITS Digits up_to_8_digits(const char* at) {
  const std::uint64_t word = word_at(at) ^ 0x3030303030303030U;  // of each digit its value
  // The highest bit of a byte that is no digit is set; bytes before the first of these are right.
  const std::uint64_t others = ((word + 0x7676767676767676U) | word) & 0x8080808080808080U;
  const auto count = static_cast<std::size_t>(others == 0 ? 8 : std::countr_zero(others) / 8);
  if (count == 0) {
    return {};
  }
  const std::uint64_t digits = word << (64 - 8 * count);  // zeros before the first one
  const std::uint64_t pairs = digits * 10 + (digits >> 8);
  constexpr std::uint64_t kPairs = 0x000000ff000000ffU;
  const std::uint64_t value = (pairs & kPairs) * (100 + (std::uint64_t{1000000} << 32)) +
                              (pairs >> 16 & kPairs) * (1 + (std::uint64_t{10000} << 32));
  return {value >> 32, count};
}

/// At most sixteen digits; kWordPadding bytes must be readable.
ELAPID_INLINE_DIGITS Digits up_to_16_digits(const char* at) {
  const Digits first = up_to_8_digits(at);
  if (first.count < 8) {
    return first;
  }
  constexpr std::array<std::uint64_t, 9> kPowers = {1,      10,      100,      1000,     10000,
                                                    100000, 1000000, 10000000, 100000000};
  const Digits second = up_to_8_digits(at + 8);
  return {first.value * kPowers[second.count] + second.value, 8 + second.count};
}

}  // namespace elapid

#undef ELAPID_INLINE_DIGITS
