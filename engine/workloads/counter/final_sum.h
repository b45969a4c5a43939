// Counters that converge: each final read shows all successful adds, and any of the adds with
// unknown outcome.
//
//   {:type :ok, :f :add, :value 2}   {:type :info, :f :add, :value 5}
//   {:type :ok, :f :read, :final? true, :value 7}    right: 2 + 5
//   {:type :ok, :f :read, :final? true, :value 2}    right as well
//   {:type :ok, :f :read, :final? true, :value 5}    wrong
//
// Other reads may show anything: replicas may not know an add yet. After Maelstrom's workloads
// g-counter and pn-counter, with their keys in the result.
//
// The sums that are possible are kept as intervals of integers. An add whose fate is unknown joins
// to them the same intervals moved by its number.
#pragma once

#include <string_view>

#include "engine/ir/history.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The key of an operation with which tests mark final reads: nothing is added after them.
inline constexpr std::string_view kFinalField = ":final?";

/// Whether some read is marked as final, by a second operation after it.
[[nodiscard]] bool has_final_reads(const History& history);

/// Each key is a separate counter. Unknown if no final read shows a number, or if there are too
/// many possible sums. O(n) for n operations, besides the sums.
[[nodiscard]] Verdict judge_final_sum(const History& history, const JudgeRequest& request);

}  // namespace elapid
