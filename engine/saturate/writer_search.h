// Searches for the writer of each read of a value with several writers, and for the indeterminate
// transactions that took effect.
//
// Example: T1 and T2 both write x = 1, and two reads show 1. The search guesses T1 for both; the
// check of the level finds a cycle that uses the first guess only. It learns "not T1 for the first
// read", and goes on with T2 there.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/levels/models.h"
#include "engine/saturate/observations.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct WriterFindings {
  Validity validity = Validity::kUnknown;
  std::vector<std::uint32_t> order = {};   ///< valid: a commit order; settles `seen` accordingly
  std::vector<ProofStep> refutation = {};  ///< invalid: the last clause is empty
  std::uint64_t choices = 0;
  std::uint64_t conflicts = 0;
};

/// Settles all reads, checks the level, and learns from each violation that its choices cannot hold
/// together: satisfiability modulo a theory, with the level as the theory (Nieuwenhuis, Oliveras
/// and Tinelli, JACM 2006, the lazy approach). Complete. Each round costs a check of the level.
/// `likely`: by ambiguous read, the writer to try first, or Seen::kNoTxn. `work`: operations looked
/// at.
[[nodiscard]] WriterFindings search_writers(Observations& seen, OrderLevel level,
                                            std::span<const std::uint32_t> likely,
                                            std::uint64_t work,
                                            const std::function<bool()>& keep_going);

}  // namespace elapid
