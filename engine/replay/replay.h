// Whether transactions on rows, with predicates, have an order that satisfies a level. They are
// carried out on tables, and their results are compared with the recorded ones.
//
// Example. Two transactions each find no row with 1 <= a <= 9, and each inserts one:
//
//   T1: [:rp [:in :a 1 9] {}] [:insert 1 {:a 5}]
//   T2: [:rp [:in :a 1 9] {}] [:insert 2 {:a 5}]
//
// In either order the second transaction finds the first one's row, so they are not serializable.
// At snapshot isolation both start, find nothing, and commit. docs/predicates.md has the meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"
#include "engine/replay/table_state.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

struct ReplayOptions {
  OrderLevel level = {};  ///< of visibility kSerial or kSnapshot
  /// Of an open universe: the initial contents to try. If absent, nothing is tried.
  std::optional<replay::RowContents> beginning = {};
  /// Limits, deterministic: operations looked at, and states remembered, 32 bytes each. At a limit
  /// the answer is unknown.
  std::uint64_t work = 20'000'000'000;
  std::uint64_t states = std::uint64_t{1} << 24;
  /// Called now and then; false ends the search with unknown.
  std::function<bool()> keep_going = {};
};

struct ReplayResult {
  Validity validity = Validity::kUnknown;
  std::optional<Witness> witness = {};          ///< of a valid history
  std::optional<ExhaustedSearch> failure = {};  ///< of an invalid one
  std::string unknown_because = {};
  /// Of an unknown one: the whole order tried in which the fewest transactions failed; else empty.
  std::vector<OrderEvent> nearest = {};
  bool is_out_of_budget = false;
};

/// Sound, and complete within the budget. Near linear if a promising order is right at once; in the
/// worst case exponential in the number of overlapping transactions. If the level has real time and
/// the history does not, the answer is unknown unless the level is violated without real time. In
/// an open universe the answer is valid or unknown, since not all initial contents are tried.
/// Requires History::info().rows.
[[nodiscard]] ReplayResult replay_rows(const History& history, const ReplayOptions& options);

}  // namespace elapid
