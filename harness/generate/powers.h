// Powers of whole numbers in integer arithmetic. Floating-point libraries differ in their last
// digits, but the same seed must draw the same numbers on all machines.
#pragma once

#include <cstdint>

namespace elapid {

/// n to the power of -exponent / 1000, times 2^32, to about seven digits; at least 1. Requires
/// n > 0 and an exponent up to 10,000.
[[nodiscard]] std::uint64_t inverse_power(std::uint64_t n, std::uint32_t exponent_thousandths);

}  // namespace elapid
