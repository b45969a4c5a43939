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

/// A history with one anomaly. Transactions overlap and are in several sessions, but so that
/// nothing else is wrong: if the anomaly has no sessions or real time in it, the history has no
/// cycle of fewer steps that does.
struct AnomalySketch {
  AnomalyType type = AnomalyType::kG0;
  std::string_view lists = {};      ///< with lists; empty: lists cannot show the anomaly
  std::string_view registers = {};  ///< with registers; empty: registers cannot show it
  /// The anomalies that every history with this anomaly has.
  AnomalySet companions_in_lists = {};
  AnomalySet companions_in_registers = {};
};

/// Every anomaly with a criterion of its own in the checker, in the order of the types.
[[nodiscard]] std::span<const AnomalySketch> anomaly_sketches();

/// The sketch of an anomaly; null if it has none: no engine detects it, or it only names what has
/// no class of its own (such as `PL-3-cycle-exists`). All operations are on items, so `G-single` is
/// `G-single-item`.
[[nodiscard]] const AnomalySketch* find_sketch(AnomalyType type);

// A sketch of a violation of each axiom of timestamps (docs/timestamps.md).

/// A history that clients find nothing wrong with, and timestamps of its transactions that violate
/// one axiom, and any others that this violation implies.
struct TimestampSketch {
  TimestampAxiom axiom = TimestampAxiom::kInt;
  std::string_view lists = {};
  std::string_view registers = {};
  /// In order of the transactions' invocations. From 1 to kLastTimestamp, at equal distances.
  std::array<PlainTimestamps, 2> timestamps = {};
};

inline constexpr std::int64_t kLastTimestamp = 4;

[[nodiscard]] std::span<const TimestampSketch> timestamp_sketches();

}  // namespace elapid
