// Judges whether as many operations succeeded as a test demands. No claim of a workload asks that.
//
//   999 of 1000 operations succeeded    valid at 0.99; "unavailable" at 1, or `total`
//
// After Maelstrom's --availability, which counts all operations of the test: keys of
// jepsen.independent share one count.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"
#include "parsers/door/door.h"

namespace elapid {

/// `total`, or the least share of operations that have to succeed, from 0 to 1. Error: kUsage.
[[nodiscard]] Result<double> parse_availability(std::string_view typed);

/// The name of the finding.
inline constexpr std::string_view kUnavailable = "unavailable";

class Availability {
 public:
  /// Counts all histories of an input. O(transactions).
  Availability(const CheckJob& job, std::span<const LoadedHistory> histories);

  /// The share that the user demands; else the one in the test's map, except with elle_compat.
  static std::optional<double> demanded(const CheckJob& job, const TestMap& test);

  /// Whether as many operations succeeded as are demanded.
  [[nodiscard]] bool is_enough() const { return share() >= demanded_.value_or(0); }

  /// Adds `:elapid/availability` to the result if a share is demanded. If too few operations
  /// succeeded, the verdict becomes invalid, with a finding of its own; `of_claims` keeps the
  /// validity of the rest.
  void judge(Verdict& verdict) const;

 private:
  [[nodiscard]] double share() const {
    return begun_ == 0 ? 1 : static_cast<double>(succeeded_) / static_cast<double>(begun_);
  }

  std::optional<double> demanded_;
  bool is_given_ = false;
  std::uint64_t begun_ = 0;
  std::uint64_t succeeded_ = 0;
};

}  // namespace elapid
