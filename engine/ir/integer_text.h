// Integers of 64 bits from text.
//
// ```cpp
// CHECK(integer_of("-15") == -15);
// CHECK_FALSE(integer_of("15 "));
// CHECK_FALSE(integer_of("9223372036854775808"));
// ```
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace elapid {

/// The integer that the whole text is in decimal digits, with `-` in front or not; nothing if it is
/// none, or too large.
[[nodiscard]] inline std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

}  // namespace elapid
