// What a check may spend: wall-clock time and memory.
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
  bool is_allowed = true;   ///< else every history is checked in memory
  std::string folder = {};  ///< of temporary files; empty: $TMPDIR or /tmp
  unsigned partitions = 0;  ///< so many, whatever the size; 0: as memory demands, none where it
                            ///< suffices
  Peers* peers = nullptr;   ///< processes that share the work (parsers/partitions); null: none
  std::uint64_t piece = 0;  ///< bytes of input that are read at a time; 0: as memory allows
};

/// No limit of time by default.
struct Limits {
  std::optional<std::chrono::milliseconds> time = {};  ///< for checking one history
  std::optional<std::uint64_t> memory = {};            ///< bytes resident, of the whole program
  std::string words = {};  ///< what they are called where they are set, as `--timeout 90s`
  Scratch scratch = {};
  std::function<bool()> is_cancelled = {};  ///< whether the work is to end early; may be empty
};

/// Where it is told how much memory there is.
struct MemorySources {
  std::optional<std::uint64_t> machine = {};  ///< bytes
  std::string control_group = {};  ///< a file, as memory.max of control groups (version 2)
};

/// Those of this machine.
[[nodiscard]] MemorySources memory_sources();

/// Bytes that a check may use where nothing else is said: half of the machine's memory, or of what
/// the process's control group may use if that is less; nothing where the system does not tell.
[[nodiscard]] std::optional<std::uint64_t> default_memory(
    const MemorySources& sources = memory_sources());

/// Bytes of this process in memory; 0 where the system does not tell.
[[nodiscard]] std::uint64_t resident_bytes();

/// What limits are measured by.
struct Meters {
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  std::function<std::uint64_t()> memory = resident_bytes;
};

/// Answers whether the limits, from now on, still hold. Safe to ask from
/// several threads, and cheap: memory is measured once a millisecond.
[[nodiscard]] std::function<bool()> watch(const Limits& limits, Meters meters = {});

/// Has a check, from now on, keep to the limits. Where there is none, no clock is read.
void set_limits(const Limits& limits, CheckOptions& options);

}  // namespace elapid
