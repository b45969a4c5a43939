// What a check may spend: wall-clock time and memory.
#ifndef ELAPID_ADAPTER_CLI_LIMITS_H_
#define ELAPID_ADAPTER_CLI_LIMITS_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/check.h"

namespace elapid {

/// No limit of time by default.
struct Limits {
  std::optional<std::chrono::milliseconds> time = {};  ///< for checking one history
  std::optional<std::uint64_t> memory = {};            ///< bytes resident, of the whole program
  std::string words = {};                              ///< as `--timeout 90s`
};

/// Bytes that a check may use where nothing else is said: half of the machine's memory, or of what
/// the process's control group (version 2) may use; nothing where the system does not tell.
[[nodiscard]] std::optional<std::uint64_t> default_memory();

/// Answers whether the limits, from now on, still hold, and nobody pressed Ctrl-C. Safe to ask from
/// several threads.
[[nodiscard]] std::function<bool()> watch(const Limits& limits);

/// Has a check, from now on, keep to the limits.
void set_limits(const Limits& limits, CheckOptions& options);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_LIMITS_H_
