// The work limit of a search that makes all choices before it looks at the whole history.
//
// Such a search ends soon or not at all. For 200 transactions with repeated values everywhere, it
// gives up after seconds, instead of the minutes that the work limit of a level allows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/ir/history.h"

namespace elapid {

/// `work`: the limit for a level, in operations or edges looked at.
[[nodiscard]] inline std::uint64_t work_of_choices(const History& history, std::uint64_t work) {
  return std::min(work, work / 200 + 1000 * std::uint64_t{history.op_count()});
}

/// The work of assigning a variable: looking at clauses, and learning.
constexpr std::uint64_t kWorkOfAssignment = 50;

}  // namespace elapid
