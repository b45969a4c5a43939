// Finds an order of transactions on rows, or proves by clauses that there is none. The exhaustive
// search (engine/replay) needs exponential time for that.
//
// Example: T2 read rows with 10 <= age <= 20 and was not shown row 7, to which T1 had given age 15.
// T1 read the same, and was not shown row 8 of T2. The guessed order T1 T2 is tried: T2 finds row
// 7. No other transaction writes row 7, so the clause "T2 before T1" is learnt. The next order is
// T2 T1: T1 finds row 8, so "T1 before T2" is learnt. Both close a cycle, so there is no order. The
// two clauses and the cycle are the proof.
//
// A clause is about the order of events (RowsChoice). Clauses are made only if a tried order fails,
// so a predicate costs nothing for rows that never cause a failure. Of a row part's writers, a
// clause names only those with which the operation could have found its result. The SatSolver of
// engine/solve searches the clauses, with an order that must stay acyclic.
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

/// The operations that may see, for each row independently, any earlier version.
enum class OldVersions : std::uint8_t {
  kOfNone,
  kOfPredicates,  ///< PL-2.99
  kOfReads,       ///< PL-2: reads of single rows as well
  /// Read atomic: the same reads, but all of a transaction see what one set of earlier transactions
  /// left.
  kOfOneState,
};

/// Whether reads of single rows may see earlier versions.
[[nodiscard]] constexpr bool are_of_reads(OldVersions old) {
  return old == OldVersions::kOfReads || old == OldVersions::kOfOneState;
}

struct ArgueOptions {
  OrderLevel level = {};               ///< of visibility kSerial or kSnapshot
  std::uint64_t work = 2'000'000'000;  ///< operations tried; a conflict counts as 100
  std::function<bool()> keep_going = {};
  /// For repeatable read, read committed and read atomic; with visibility kSerial.
  OldVersions old_versions = OldVersions::kOfNone;
  /// Of one state: tries no order. Shows only that a transaction saw two versions of a row, by
  /// values that only one transaction each wrote; linear. Otherwise unknown.
  bool only_torn_rows = false;
  /// An order of events that may be nearly right; it is tried first. Borrowed.
  std::span<const OrderEvent> first_guess = {};
};

struct ArgueResult {
  Validity validity = Validity::kUnknown;
  std::vector<OrderEvent> order = {};       ///< of a valid history; it was tried
  std::vector<PartAtFirst> beginning = {};  ///< of a valid history with an open universe
  std::vector<TakenRow> taken = {};         ///< of a valid history with old versions
  std::vector<ReadFrom> reads = {};         ///< of a valid history at read atomic
  std::vector<RowsProofStep> proof = {};    ///< of an invalid one
  std::string unknown_because = {};
};

/// Always sound. Unknown if the budget is reached; for histories that are open and not valid, if
/// FirstContents is not whole; and if RowWrites does not know the writes, or, at repeatable read
/// and read committed, the choices.
[[nodiscard]] ArgueResult argue_rows(const History& history, const ArgueOptions& options);

}  // namespace elapid
