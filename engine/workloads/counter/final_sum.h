// Counters that agree in the end: each final read shows all adds that succeeded, and any of those
// whose fate is unknown.
//
//   {:type :ok, :f :add, :value 2}   {:type :info, :f :add, :value 5}
//   {:type :ok, :f :read, :final? true, :value 7}    right: 2 + 5
//   {:type :ok, :f :read, :final? true, :value 2}    right as well
//   {:type :ok, :f :read, :final? true, :value 5}    wrong
//
// Other reads are free: replicas that have not heard of an add yet do not show it. After
// Maelstrom's workloads g-counter and pn-counter, whose keys the result has.
//
// The sums that are possible are kept as intervals of integers. An add whose fate is unknown joins
// to them the same intervals moved by its number.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The key of an operation by which tests mark reads after which nothing is added.
inline constexpr std::string_view kFinalField = ":final?";

/// Integers from `first` to `second`, both included.
using Interval = std::pair<std::int64_t, std::int64_t>;

/// `sum` plus the sum of any of `numbers`, as disjoint intervals in order, of which none touches
/// the next. Nothing if there are more than `most`, or if sums are beyond 64 bits. O(most) for each
/// number.
[[nodiscard]] std::vector<Interval> possible_sums(std::int64_t sum,
                                                  std::span<const std::int64_t> numbers,
                                                  std::size_t most);

/// Whether some read is marked as final: a second operation stands behind it.
[[nodiscard]] bool has_final_reads(const History& history);

/// Each key is a counter of its own. Unknown if no final read shows a number, and if too many sums
/// are possible. O(n) for n operations, beside the sums.
[[nodiscard]] Verdict judge_final_sum(const History& history);

}  // namespace elapid
