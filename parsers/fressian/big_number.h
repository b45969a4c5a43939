// Integers of any size: two's complement bytes in Fressian, decimal digits in EDN.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace elapid::fressian {

/// Conversion is quadratic: longer numbers are refused.
inline constexpr std::size_t kMaxBigBytes = 4096;

/// The decimal digits of a big-endian number in two's complement; no bytes mean zero. Requires at
/// most kMaxBigBytes bytes.
[[nodiscard]] std::string decimal_digits(std::string_view bytes);

/// The inverse of decimal_digits(), in the fewest bytes, at least one.
[[nodiscard]] std::string big_bytes(std::string_view digits);

}  // namespace elapid::fressian
