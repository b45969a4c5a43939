// How evidence shows the names of keys, values and sessions: long ones cut, so that one of a
// megabyte does not make a report of a gigabyte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace elapid {

/// Names of so many bytes are shown as they are.
inline constexpr std::size_t kWholeName = 256;

/// The name, which is in UTF-8; of a longer one the first 64 bytes, its length, and a hash by which
/// it differs from others, the same in every run: `"aaa… (1048576 bytes, hash 53a1f0c2d4e6b798)`.
[[nodiscard]] std::string shown_name(std::string_view name);

}  // namespace elapid
