// Numbers in reports.
#pragma once

#include <cstdint>
#include <string>

namespace elapid {

/// A number with commas between thousands: `1,234,567`.
[[nodiscard]] std::string with_commas(std::uint64_t number);

}  // namespace elapid
