// A sketch of each anomaly: a history of a few transactions, in the notation of
// sketch/tiny_history.h.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "engine/levels/models.h"
#include "engine/verdict/evidence.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// A history that has one anomaly. Transactions overlap and are spread over sessions so that
/// nothing else is wrong: an anomaly without sessions and real time in it has none that shows it in
/// fewer steps with them.
struct AnomalySketch {
  AnomalyType type = AnomalyType::kG0;
  std::string_view lists = {};      ///< with lists; empty: lists cannot show it
  std::string_view registers = {};  ///< with registers, likewise
  /// What no history can have the anomaly without.
  AnomalySet companions_in_lists = {};
  AnomalySet companions_in_registers = {};
};

/// Every anomaly that the checker names for a reason of its own, in the order of the types.
[[nodiscard]] std::span<const AnomalySketch> anomaly_sketches();

/// Null if the anomaly has none: it is a name for what has no class of its own (such as
/// `PL-3-cycle-exists`), or no engine detects it. All operations are on items, so that `G-single`
/// is `G-single-item`.
[[nodiscard]] const AnomalySketch* find_sketch(AnomalyType type);

// A sketch of a violation of each axiom of timestamps (docs/timestamps.md).

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
