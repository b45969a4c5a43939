// Powers of whole numbers in whole numbers: floating-point libraries differ in their last digits,
// and what is drawn must not differ between machines.
#pragma once

#include <cstdint>

namespace elapid {

/// n to the power of -exponent / 1000, times 2^32, to about seven digits; at least 1. Requires
/// n > 0 and an exponent up to 10,000.
[[nodiscard]] std::uint64_t inverse_power(std::uint64_t n, std::uint32_t exponent_thousandths);

}  // namespace elapid
