// A sketch of a violation of each axiom of timestamps (docs/timestamps.md).
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "engine/verdict/evidence.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// A history that clients find nothing wrong with, and timestamps of its transactions that violate
/// one axiom, or those that no history violates it without.
struct TimestampSketch {
  TimestampAxiom axiom = TimestampAxiom::kInt;
  std::string_view lists = {};
  std::string_view registers = {};
  /// By the transactions' invocations. From 1 to kLastTimestamp, at equal distances.
  std::array<PlainTimestamps, 2> timestamps = {};
};

inline constexpr std::int64_t kLastTimestamp = 4;

[[nodiscard]] std::span<const TimestampSketch> timestamp_sketches();

}  // namespace elapid
