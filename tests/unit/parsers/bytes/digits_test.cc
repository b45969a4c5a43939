#include "parsers/bytes/digits.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>

namespace elapid {
namespace {

/// A digit at a time.
Digits plain_digits(const char* at, std::size_t most) {
  Digits digits;
  while (digits.count < most && at[digits.count] >= '0' && at[digits.count] <= '9') {
    digits.value = digits.value * 10 + static_cast<std::uint64_t>(at[digits.count++] - '0');
  }
  return digits;
}

TEST_CASE("digits: a word at a time or a digit at a time, at all alignments") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(64, '\0');
    const std::uint64_t digits_in_100 = random() % 101;
    for (char& byte : bytes) {
      byte = random() % 100 < digits_in_100 ? static_cast<char>('0' + random() % 10)
                                            : static_cast<char>(random() % 256);
    }
    for (std::size_t at = 0; at + kWordPadding <= bytes.size(); ++at) {
      const char* const text = bytes.data() + at;
      for (const auto& [fast, plain] : {std::pair(up_to_8_digits(text), plain_digits(text, 8)),
                                        std::pair(up_to_16_digits(text), plain_digits(text, 16))}) {
        if (fast.value != plain.value || fast.count != plain.count) {
          FAIL("round " << round << " at " << at << ": " << fast.value << " of " << fast.count
                        << ", not " << plain.value << " of " << plain.count);
        }
      }
    }
  }
}

}  // namespace
}  // namespace elapid
