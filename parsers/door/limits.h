// The limits of a check: wall-clock time and memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/check/check.h"

namespace elapid {

class Peers;

/// How a history that is bigger than memory is checked (parsers/partitions).
struct Scratch {
  bool is_allowed = true;   ///< if not, every history is checked in memory
  std::string folder = {};  ///< of temporary files; empty: $TMPDIR or /tmp
  unsigned partitions = 0;  ///< their number; 0: as many as memory demands, none if it
                            ///< suffices
  Peers* peers = nullptr;   ///< processes that share the work (parsers/partitions); null: none
  std::uint64_t piece = 0;  ///< bytes of input to read at a time; 0: as memory allows
};

/// No limit of time by default.
struct Limits {
  std::optional<std::chrono::milliseconds> time = {};  ///< for checking one history
  std::optional<std::uint64_t> memory = {};            ///< resident bytes of the whole program
  std::string words = {};                              ///< for messages: `--timeout 90s`
  Scratch scratch = {};
  std::function<bool()> is_cancelled = {};  ///< asks whether to end early; may be empty
};

/// The sources that tell how much memory there is.
struct MemorySources {
  std::optional<std::uint64_t> machine = {};  ///< bytes
  std::string control_group = {};  ///< a file, as memory.max of control groups (version 2)
};

/// The sources of this machine.
[[nodiscard]] MemorySources memory_sources();

/// The default limit in bytes: half of the machine's memory, or of the control group's limit if
/// that is less; nothing if the system does not tell.
[[nodiscard]] std::optional<std::uint64_t> default_memory(
    const MemorySources& sources = memory_sources());

/// Resident bytes of this process; 0 if the system does not tell.
[[nodiscard]] std::uint64_t resident_bytes();

/// The measures for limits.
struct Meters {
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  std::function<std::uint64_t()> memory = resident_bytes;
};

/// Answers whether the limits, from now on, still hold. Safe to ask from
/// several threads, and cheap: memory is measured once a millisecond.
[[nodiscard]] std::function<bool()> watch(const Limits& limits, Meters meters = {});

/// Makes a check keep to the limits, from now on. Without limits no clock is read.
void set_limits(const Limits& limits, CheckOptions& options);

}  // namespace elapid
