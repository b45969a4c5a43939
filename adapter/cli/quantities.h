// Durations and sizes as typed: 90s, 5m, 2G.
#ifndef ELAPID_ADAPTER_CLI_QUANTITIES_H_
#define ELAPID_ADAPTER_CLI_QUANTITIES_H_

#include <chrono>
#include <cstdint>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// A positive number of `ms`, `s` (also without a unit), `m` or `h`. Error: kUsage.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// A positive number of bytes, or of `K`, `M`, `G` or `T` of them, 1024 to the power of 1 to 4.
/// Error: kUsage.
[[nodiscard]] Result<std::uint64_t> parse_bytes(std::string_view text);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_QUANTITIES_H_
