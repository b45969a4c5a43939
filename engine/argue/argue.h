// An order of transactions on rows, or a proof that there is none, by clauses: what the exhaustive
// search (engine/replay) would need exponential time for.
//
// Example. T2 read rows with 10 <= age <= 20 and was not shown row 7, to which T1 had given age 15;
// T1 read the same, and was not shown row 8 of T2. An order is guessed, T1 T2, and tried: T2 finds
// row 7. So a clause is learnt, "T2 before T1", since nobody else writes row 7. The next order is
// T2 T1, where T1 finds row 8: "T1 before T2". Both close a cycle, so there is no order; the two
// clauses and the cycle are the proof.
//
// Clauses are about what may be before what (RowsChoice), and are made only where an order that was
// tried fails: a predicate costs nothing for rows that are not at issue. Of the writers of a part
// of a row only those matter with which the operation could have found what it did. Clauses
// together with an order that must stay acyclic are searched by engine/solve's SatSolver.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid {

/// Which operations may concern, of each row by itself, any version that was there before.
enum class OldVersions : std::uint8_t {
  kOfNone,
  kOfPredicates,  ///< PL-2.99
  kOfReads,       ///< PL-2: reads of single rows as well
};

struct ArgueOptions {
  OrderLevel level = {};               ///< of visibility kSerial or kSnapshot
  std::uint64_t work = 2'000'000'000;  ///< operations tried, conflicts counting as 100
  std::function<bool()> keep_going = {};
  /// Repeatable read and read committed; with visibility kSerial.
  OldVersions old_versions = OldVersions::kOfNone;
};

struct ArgueResult {
  Validity validity = Validity::kUnknown;
  std::vector<OrderEvent> order = {};       ///< of a valid history, tried
  std::vector<PartAtFirst> beginning = {};  ///< of a valid history with an open universe
  std::vector<TakenRow> taken = {};         ///< of a valid history with old versions
  std::vector<RowsProofStep> proof = {};    ///< of an invalid one
  std::string unknown_because = {};
};

/// Sound always. Unknown, apart from the budget, for histories that are not closed and not valid if
/// FirstContents is not whole; and for those of which RowWrites cannot tell what was written or, at
/// repeatable read and read committed, what choices there are.
[[nodiscard]] ArgueResult argue_rows(const History& history, const ArgueOptions& options);

}  // namespace elapid
