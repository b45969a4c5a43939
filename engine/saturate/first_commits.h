// The order in which transactions can commit where nothing is visible to reads, and the proof that
// there is none.
//
// Each transaction commits as soon as its predecessors have, and a writer of each value that it
// read. An earlier writer serves no reader worse, so each transaction that commits in any order
// commits in this one. If some cannot, one of them would have to be the first:
//
//   T1 reads x = 1, which T3 and T4 write; T2 comes before T3 in its session, and T1 before T4. T2
//   reads y = 1, which T5 writes, after T1 in its session. So T2 precedes T1, and T1 precedes T2.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/levels/models.h"
#include "engine/saturate/likely_writers.h"
#include "engine/saturate/observations.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

struct FirstCommits {
  /// The first writer of each value that was served. Has a writer for each ambiguous read if all
  /// transactions commit.
  LikelyWriters writers = {};
  /// If some cannot, and it is certain that all took effect: the proof, unless it would be long.
  std::optional<Refutation> refutation = {};
};

/// Near linear, but for the proof, whose steps are limited. Requires that no writer of an ambiguous
/// read was chosen. No proof if the certain reads and orders of the level form a cycle.
[[nodiscard]] FirstCommits first_commits(const Observations& seen, OrderLevel level);

}  // namespace elapid
