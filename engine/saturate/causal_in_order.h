// A commit order found without forcing all that causal consistency demands.
#ifndef ELAPID_ENGINE_SATURATE_CAUSAL_IN_ORDER_H_
#define ELAPID_ENGINE_SATURATE_CAUSAL_IN_ORDER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/levels/models.h"
#include "engine/saturate/observations.h"

namespace elapid {

/// A commit order of causal consistency, with the session order that the level has, if one is found
/// within a few attempts, each ordered anew by what the one before did not agree with. It is one of
/// the saturable level too: what is visible there is visible at causal consistency. Nothing says
/// nothing. `keep_going` is asked now and then.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> find_causal_order(
    const Observations& seen, OrderLevel level, const std::function<bool()>& keep_going);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SATURATE_CAUSAL_IN_ORDER_H_
