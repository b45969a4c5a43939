// A commit order of causal consistency, found without computing every edge that the level forces:
// an order is guessed, and only the edges that disagree with it are looked for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/levels/models.h"
#include "engine/saturate/observations.h"

namespace elapid {

/// A commit order of causal consistency, with session order if the level has it. A few orders are
/// tried; each next one is sorted by the edges that the one before disagreed with. The order found
/// is one of the (weaker) level too: what is visible there is visible at causal consistency. An
/// empty answer proves nothing. `keep_going` is asked now and then.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> find_causal_order(
    const Observations& seen, OrderLevel level, const std::function<bool()>& keep_going);

}  // namespace elapid
