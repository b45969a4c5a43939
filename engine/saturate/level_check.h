// Checks one level of a history in which the writer of each read is known.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/levels/models.h"
#include "engine/saturate/axioms.h"
#include "engine/saturate/observations.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A cycle that exists in every commit order, with the proofs of its inferred edges.
struct Conflict {
  /// The choices that the proof uses, each negated. Empty for a history without choices.
  std::vector<Choice> unless = {};
  std::vector<ProofStep> because = {};  ///< in order
  std::vector<OrderEdge> cycle = {};
};

struct LevelFindings {
  /// A commit order of all present transactions, if there is one ...
  std::vector<std::uint32_t> order = {};
  /// ... else the contradictions: a shortest cycle of each strongly connected component.
  std::vector<Conflict> conflicts = {};
  std::uint64_t violations = 0;  ///< explained or not: cyclic components, and writers that reads of
                                 ///< the initial state passed over
  bool is_complete = true;       ///< false: the budget was reached
};

/// Forces all edges of the level's axiom, then searches for cycles (Biswas and Enea, OOPSLA 2019,
/// section 4). Reads must be settled. Transactions that are not present are left out. Explains at
/// most `conflict_limit` conflicts.
[[nodiscard]] LevelFindings check_level(const Observations& seen, OrderLevel level,
                                        std::size_t conflict_limit, const LevelBudget& budget);

/// The same for levels at which find_causal_order() found nothing.
[[nodiscard]] LevelFindings check_level_by_axiom(const Observations& seen, OrderLevel level,
                                                 std::size_t conflict_limit,
                                                 const LevelBudget& budget);

}  // namespace elapid
