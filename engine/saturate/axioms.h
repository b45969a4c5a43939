// The levels' axioms, one file each: the edges that each axiom forces once the writer of each read
// is known.
//
// All have one form (Biswas and Enea, "On the Complexity of Checking Transactional Consistency",
// OOPSLA 2019): if T3 reads a key from T1, and T2 writes the key as well and is visible to the
// read, then T2 commits before T1. The axioms differ in what is visible (Visibility). They may
// leave out edges that follow from others, and session order if the level has it. A history
// satisfies the level iff these edges, session order and read-from edges together form no cycle.
//
// Example, read atomic: T1 writes x = 1, T2 writes x = 2 and y = 2, T3 reads y = 2 and x = 1. T3
// read from T2, so all of T2 is visible to T3; since T3 saw T1's x, T2 must commit before T1.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/levels/models.h"
#include "engine/saturate/observations.h"
#include "engine/saturate/precedence.h"

namespace elapid {

using ForcedEdges = std::vector<ForcedEdge>;

/// read_committed.cc: O(m^1.5) in the number m of operations; 12 bytes a key, 4 a transaction.
void force_read_committed(const Observations& seen, OrderLevel level, ForcedEdges& out);

/// read_atomic.cc: O(m^1.5); reads of a key must agree.
void force_read_atomic(const Observations& seen, OrderLevel level, ForcedEdges& out);

/// The limits of an axiom's cost.
struct LevelBudget {
  std::uint64_t work = 20'000'000'000;    ///< operations looked at
  std::function<bool()> keep_going = {};  ///< asked now and then
};

/// causal.cc: O(m * chains). Chains are sessions or, if session order does not count, paths of
/// reads that cover all transactions; reads must agree. `order`: the present transactions in an
/// order that agrees with read-from edges, and with session order if it counts. Returns false if
/// the budget was reached; then edges are missing.
[[nodiscard]] bool force_causal(const Observations& seen, bool has_sessions,
                                std::span<const std::uint32_t> order, const LevelBudget& budget,
                                ForcedEdges& out);

/// session_guarantees.cc: O(sum of k^2 log m) in the numbers k of reads of each transaction, unless
/// sessions see writers of one key out of order again and again. Edges may lead through vertices of
/// their own, numbered from `next_vertex`, which is advanced. Returns false if the budget was
/// reached; then edges are missing.
[[nodiscard]] bool force_session_guarantee(const Observations& seen, Visibility guarantee,
                                           const LevelBudget& budget, std::uint32_t& next_vertex,
                                           ForcedEdges& out);

}  // namespace elapid
