// Parses integers: of 64 bits, or of a given type.
//
// ```cpp
// CHECK(integer_of("-15") == -15);
// CHECK_FALSE(integer_of("15 "));
// CHECK_FALSE(integer_of("9223372036854775808"));
// CHECK_FALSE(integer_of<std::uint8_t>("256"));
// ```
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace elapid {

/// The integer that the whole text spells in decimal digits, with an optional `-` in front. Nothing
/// if the text has another form, or the integer does not fit.
template <std::integral Integer = std::int64_t>
[[nodiscard]] std::optional<Integer> integer_of(std::string_view text) {
  // Most texts are short natural numbers, which cannot overflow.
  if (!text.empty() && text.size() <= std::numeric_limits<Integer>::digits10) {
    std::uint64_t natural = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
      natural = natural * 10 + static_cast<std::uint64_t>(text[digits] - '0');
    }
    if (digits == text.size()) {
      return static_cast<Integer>(natural);
    }
  }
  Integer n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

}  // namespace elapid
