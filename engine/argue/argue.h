// Finds an order of transactions on rows, or proves by clauses that there is none. The exhaustive
// search (engine/replay) would need exponential time for that.
//
// Example. T2 read rows with 10 <= age <= 20 and was not shown row 7, to which T1 had given age 15;
// T1 read the same, and was not shown row 8 of T2. An order is guessed, T1 T2, and tried: T2 finds
// row 7. No other transaction writes row 7, so a clause is learnt: "T2 before T1". The next order
// is T2 T1, where T1 finds row 8: "T1 before T2". Both close a cycle, so there is no order; the two
// clauses and the cycle are the proof.
//
// A clause says what comes before what (RowsChoice). Clauses are made only where a tried order
// fails, so a predicate costs nothing for the rows with which no order fails. Of the writers of a
// part of a row, a clause names only those with which the operation could have found what it did.
// The SatSolver of engine/solve searches the clauses, with an order that must stay acyclic.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
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
  /// An order of events that may be nearly right, to be guessed first; borrowed.
  std::span<const OrderEvent> first_guess = {};
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
