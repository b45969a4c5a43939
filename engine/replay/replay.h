// Whether transactions on rows, with reads by predicates, have an order at a level that an order
// defines. They are carried out on tables, and their results are compared with the recorded ones.
//
// Example. Two transactions each find no row with 1 <= a <= 9, and each inserts one:
//
//   T1: [:rp [:in :a 1 9] {}] [:insert 1 {:a 5}]
//   T2: [:rp [:in :a 1 9] {}] [:insert 2 {:a 5}]
//
// The second one would have found the first one's row: neither order serializes them. At
// snapshot isolation both start, find nothing, and commit. docs/predicates.md has the meaning.
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
  /// Of an open universe: what rows hold at the beginning, to be tried. Nothing: nothing is tried.
  std::optional<replay::RowContents> beginning = {};
  /// Deterministic: operations looked at, and states remembered, 32 bytes each. Reaching one gives
  /// unknown.
  std::uint64_t work = 20'000'000'000;
  std::uint64_t states = std::uint64_t{1} << 24;
  /// Asked now and then; returning false ends the search with unknown.
  std::function<bool()> keep_going = {};
};

struct ReplayResult {
  Validity validity = Validity::kUnknown;
  std::optional<Witness> witness = {};          ///< of a valid history
  std::optional<ExhaustedSearch> failure = {};  ///< of an invalid one
  std::string unknown_because = {};
  /// Of an unknown one: the order of events tried with which the fewest transactions failed; empty
  /// if none was tried as a whole.
  std::vector<OrderEvent> nearest = {};
  bool is_out_of_budget = false;
};

/// Sound always, and complete but for the budget: near linear where a promising order is right at
/// once, exponential in the number of transactions that overlap in the worst case. Unknown for real
/// time that the history does not have unless the level is violated without it. In an open universe
/// valid or unknown: whatever the rows held at the beginning, was not tried. Requires
/// History::info().rows.
[[nodiscard]] ReplayResult replay_rows(const History& history, const ReplayOptions& options);

}  // namespace elapid
