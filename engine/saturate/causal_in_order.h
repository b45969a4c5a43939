// Finds a commit order of causal consistency without computing every edge that the level forces:
// guesses an order, and searches only for edges that disagree with it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/levels/models.h"
#include "engine/saturate/observations.h"

namespace elapid {

/// A commit order of causal consistency, with session order if the level has it. Tries a few
/// orders; each next one is sorted by the edges that disagreed with the previous one. The order is
/// also one of a weaker level, since everything visible there is visible at causal consistency. An
/// empty answer proves nothing. Calls `keep_going` now and then.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> find_causal_order(
    const Observations& seen, OrderLevel level, const std::function<bool()>& keep_going);

}  // namespace elapid
