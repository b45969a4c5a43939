// Chooses version orders, writers of reads and indeterminate transactions such that no forbidden
// cycle is left.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/adya/cycle_problem.h"
#include "engine/levels/cycle_levels.h"
#include "engine/levels/validity.h"
#include "engine/saturate/observations.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

struct CycleSearchFindings {
  Validity validity = Validity::kUnknown;
  /// Valid: the present transactions in an order in which versions and reads lead forward; `seen`
  /// is settled accordingly.
  std::vector<std::uint32_t> order = {};
  std::vector<ProofStep> refutation = {};  ///< invalid: the last clause is empty
  std::uint64_t choices = 0;
  std::uint64_t conflicts = 0;
};

/// Orders are drafted, the draft is checked, and of each forbidden cycle is learnt that its edges
/// cannot hold together: what is open of them becomes a choice of the search, and is decided from
/// then on. So choices are made for orders that matter only. Complete; each round is near linear
/// (satisfiability modulo a theory, the lazy approach: Nieuwenhuis, Oliveras and Tinelli, JACM
/// 2006). `problem` is one of `seen`, without certain cycles. `likely`: by ambiguous read, the
/// writer to try first, or Seen::kNoTxn. `work`: edges looked at.
[[nodiscard]] CycleSearchFindings search_cycles(Observations& seen, const CycleProblem& problem,
                                                CycleShape shape,
                                                std::span<const std::uint32_t> likely,
                                                std::uint64_t work,
                                                const std::function<bool()>& keep_going);

}  // namespace elapid
