// Decides the levels that forbid shapes of cycles (engine/levels/cycle_levels.h), soundly and
// completely, for any history of reads, writes and appends.
//
// Example: T1 reads x = 0 and writes x = 1, T2 reads x = 0 and writes x = 2. The write that comes
// first falls between the other transaction's read and write: cursor-stability is violated.
#pragma once

#include "engine/ir/history.h"
#include "engine/levels/cycle_levels.h"
#include "engine/solve/solve.h"

namespace elapid {

/// The answer is an order of the transactions, from which versions take theirs, or a proof that
/// there is none. `options`: the work and whether to go on count; if assumptions bind versions, a
/// level that holds without them is unknown.
[[nodiscard]] SolveResult decide_cycles(const History& history, CycleLevel level,
                                        const SolveOptions& options);

}  // namespace elapid
