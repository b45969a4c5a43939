// Guesses the write that each read of a repeated value saw, and the order of the writers, for
// levels whose operations may each see a state of their own.
//
// Databases at such levels commit one transaction after the other, and each statement reads what
// was committed at some moment, no earlier than the statement before it. Such an execution has none
// of the cycles that monotonic view and monotonic snapshot read forbid. It is built transaction by
// transaction:
//
//   T1 and T3 write 5 to x, T2 writes 6: committed in this order. T4 reads 6, then 5: the first
//   read sees T2, at the moment after its commit; then the second one sees T3, not T1.
//
// At cursor stability a read may be of any moment, but the version that a transaction read and then
// overwrites is the latest one when it commits.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/adya/cycle_problem.h"
#include "engine/levels/cycle_levels.h"
#include "engine/saturate/likely_writers.h"

namespace elapid {

struct Moments {
  LikelyWriters writers = {};             ///< by ambiguous read
  std::vector<std::uint32_t> order = {};  ///< all present transactions
};

/// Each transaction commits as soon as its reads can be served. Greedy: it may miss an execution
/// that exists; then `order` lacks transactions. O(reads * log writers of a value).
[[nodiscard]] Moments moments_of(const CycleProblem& problem, CycleShape shape,
                                 const std::function<bool()>& keep_going);

}  // namespace elapid
