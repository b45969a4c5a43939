// How much work a search may cost that makes all choices before it looks at the whole history.
//
// Such a search ends soon or not at all: of 200 transactions whose values repeat all over, it takes
// seconds to say that it does not know, instead of the minutes that the work of a level allows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/ir/history.h"

namespace elapid {

/// `work`: what a level may cost, in operations or edges looked at.
[[nodiscard]] inline std::uint64_t work_of_choices(const History& history, std::uint64_t work) {
  return std::min(work, work / 200 + 1000 * std::uint64_t{history.op_count()});
}

/// What the value of a variable costs: clauses are looked at, and learnt.
constexpr std::uint64_t kWorkOfAssignment = 50;

}  // namespace elapid
