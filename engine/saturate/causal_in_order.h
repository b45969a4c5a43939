// Causal consistency against one order of the transactions.
#ifndef ELAPID_ENGINE_SATURATE_CAUSAL_IN_ORDER_H_
#define ELAPID_ENGINE_SATURATE_CAUSAL_IN_ORDER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/saturate/axioms.h"
#include "engine/saturate/observations.h"

namespace elapid {

/// The edges of causal consistency (force_causal()) that `order` does not agree with: if there are
/// none, it is a commit order. Session order that counts and read-from edges must lead forward in
/// it. Nothing if finding out takes more than `steps`.
///
/// Whoever is visible to a read comes before the reader in any such order. So only the writers of
/// the key count that come between the one that the read saw and the reader, and they are looked
/// for backwards from the reader, no further than they stand. In an order close to that of the
/// commits there are hardly any: near linear, however many sessions there are.
[[nodiscard]] std::optional<ForcedEdges> causal_against(const Observations& seen, bool has_sessions,
                                                        std::span<const std::uint32_t> order,
                                                        std::uint64_t steps);

/// A commit order of causal consistency, with the session order that the level has, if one is found
/// within a few attempts, each ordered anew by what the one before did not agree with. It is one of
/// the saturable level too: what is visible there is visible at causal consistency. Nothing says
/// nothing.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> find_causal_order(const Observations& seen,
                                                                          OrderLevel level);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SATURATE_CAUSAL_IN_ORDER_H_
