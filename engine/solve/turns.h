// A first order of transactions, for histories without times.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// By transaction, its place in the history if sessions take turns in the history, as in a log
/// written during the run. If sessions stand one after another there, each session goes one step at
/// a time. A guess that agrees with session order. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> turns(const History& history);

}  // namespace elapid
