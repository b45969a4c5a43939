// Reasons for an unknown verdict that several engines give.
#pragma once

#include <string>
#include <string_view>

#include "engine/check/check.h"

namespace elapid {

inline constexpr std::string_view kNothingToCheck =
    "the history has no transactions from which anything follows";
inline constexpr std::string_view kLacksRealTime =
    "what was asked for needs real time, which this history does not record; without it nothing is "
    "violated";
inline constexpr std::string_view kNeedsRealTime =
    "the level needs real time, which this history does not record";
inline constexpr std::string_view kIncompleteForRegisters =
    "nothing that can be inferred violates the levels demanded, but the inference is not complete "
    "for registers";
inline constexpr std::string_view kIncompleteForRows =
    "nothing that can be inferred violates the levels demanded, but the inference is not complete "
    "for rows";
inline constexpr std::string_view kTooManyAntiDependencies =
    "readers of initial states and writers make too many anti-dependencies to look at all cycles";

[[nodiscard]] inline std::string out_of_cycle_budget(const OptionWords& words) {
  return "the budget for the search for cycles was reached: raise " +
         std::string(words.edge_visits) + " or " + std::string(words.milliseconds);
}

}  // namespace elapid
