// A first order of transactions, for histories without times.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// By transaction, its place in the history where sessions take turns in it, as in a log that was
/// written while they ran. Where they stand one behind the other, each session goes one step at a
/// time. A guess, which keeps session order. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> turns(const History& history);

}  // namespace elapid
