// The names of keys, values and sessions in evidence. Long names are cut, so that a name of a
// megabyte does not make a report of a gigabyte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace elapid {

/// The longest name in bytes that is shown whole.
inline constexpr std::size_t kWholeName = 256;

/// The name in UTF-8. A longer name becomes its first 64 bytes, its length, and a hash that tells
/// it from others and is the same in every run: `"aaa… (1048576 bytes, hash 53a1f0c2d4e6b798)`.
[[nodiscard]] std::string shown_name(std::string_view name);

}  // namespace elapid
