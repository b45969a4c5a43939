// A proof that no order of transactions on rows lets each operation find what it did. Pure data.
//
// A row has parts: its existence, its version, and each of its columns. A transaction finds each
// part as the last writer before it left it. Suppose that an operation could not have found what it
// did, had certain transactions been the last to write certain parts. Then one of them was not: it
// came after the reader, or another writer came between.
//
// Example: the initial transaction says that row 7 has age 5, T1 wrote that its age is 15, and T2
// read rows with 10 <= age <= 20 and was not shown row 7. Were T1 the last before T2 to write
// the age, T2 would have found row 7. No other transaction wrote it: so T2 comes before T1.
//
// At repeatable read (PL-2.99) a predicate may concern any earlier version of a row. If an
// operation could not have found what it did by certain versions, it concerned another version, and
// the writer of that one came before it. Where a result has no keys, what the operation found of
// each row is a choice: that it found it, or one of the contents it was shown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Parts of a row, by number: its existence, its version, and from kFirstColumn on its columns.
inline constexpr std::uint32_t kRowExistence = 0;
inline constexpr std::uint32_t kRowVersion = 1;
inline constexpr std::uint32_t kFirstColumn = 2;

/// The last writer of a part of a row before `reader` reads; none() if there is none. Without a
/// writer, in an open universe, the clause says what the part was at the beginning, by the contrary
/// of kAtFirst. For the version that a row had at the beginning, the reader is none() as well.
struct LastWriter {
  KeyId row;
  std::uint32_t part = kRowExistence;
  TxnId writer = TxnId::none();
  TxnId reader = TxnId::none();
  friend bool operator==(const LastWriter&, const LastWriter&) = default;
};

/// An operation after the reader of a step. What it found of a row only earlier writers left: so no
/// transaction wrote it in between.
struct LaterFinding {
  TxnId txn;
  std::uint32_t mop = 0;
  friend bool operator==(const LaterFinding&, const LaterFinding&) = default;
};

// How an operation found a row, where its result has no keys; else the row of its result by number.

/// As its result says, which lists rows.
inline constexpr std::uint32_t kAsRecorded = 0xffffffffU;
/// Among those that it found, whatever it held.
inline constexpr std::uint32_t kAsFound = 0xfffffffeU;
/// Not among them.
inline constexpr std::uint32_t kAsMissed = 0xfffffffdU;

/// Something that an execution leaves open, or its contrary.
struct RowsChoice {
  enum class Kind : std::uint8_t {
    kBefore,      ///< event `first` comes before event `second`
    kBetween,     ///< `middle` took effect, and commits after `first` does (none(): whenever) and
                  ///< before `second`, which is the event at which that one reads
    kTookEffect,  ///< the indeterminate transaction of `first` took effect
    kConcerned,   ///< `middle` took effect before `first`, and what `row` was when `middle` had
                  ///< committed is what operation `mop` of `first` may have found it to be, `as`
                  ///< it did; none(): what it was at the beginning is
    kFound,       ///< of repeatable read: operation `mop` of `first`, a delete or one whose result
                  ///< has no keys, found `row` `as` that; one that writes wrote it
    kAtFirst,     ///< in an open universe: at the beginning `part` of `row` was one of `values`, or
                  ///< what nothing in the history tells from it; 1 is existence, none() a column
                  ///< that holds nothing
  };
  Kind kind = Kind::kBefore;
  bool holds = true;
  OrderEvent first = {};
  OrderEvent second = {};
  TxnId middle = TxnId::none();
  KeyId row = KeyId::none();         ///< kConcerned, kFound, kAtFirst
  std::uint32_t mop = 0;             ///< kConcerned, kFound
  std::uint32_t as = kAsRecorded;    ///< kConcerned; kFound: kAsFound or a number
  std::uint32_t part = 0;            ///< kAtFirst
  std::vector<ValueId> values = {};  ///< kAtFirst, ascending
  friend bool operator==(const RowsChoice&, const RowsChoice&) = default;
};

/// One clause: at least one of its choices holds in every execution.
struct RowsProofStep {
  enum class Reason : std::uint8_t {
    kFound,     ///< `txn` could not have found what operation `mop` found, had all `causes` been
    kOverlap,   ///< `txn` and `other` both write `row`, so they do not overlap
    kCycle,     ///< if none held, `cycle` would come back to where it begins
    kMeaning,   ///< what kBetween, kConcerned, kFound and kAtFirst mean
    kContents,  ///< in an open universe: all that a column may have held at the beginning
    kVersions,  ///< of repeatable read: all versions of `row` that operation `mop` of `txn`, which
                ///< has a predicate, may have concerned
    kVersion,   ///< of repeatable read: it did not concern what `other` left, had all `causes` been
    kWritten,   ///< of repeatable read: all that may have written something of `row` that operation
                ///< `mop` of `txn` was shown
    kAtLeast,   ///< of repeatable read: operation `mop` of `txn` found so many rows as `items`
    kAtMost,    ///< likewise: it found no more
    kDerived,   ///< it follows from earlier steps by unit propagation
  };
  std::vector<RowsChoice> clause = {};
  Reason reason = Reason::kDerived;
  TxnId txn = {};
  std::uint32_t mop = 0;
  std::vector<LastWriter> causes = {};
  bool by_predicate = false;    ///< kFound: the operation has a predicate
  TxnId other = TxnId::none();  ///< kOverlap, kVersion
  KeyId row = KeyId::none();    ///< kOverlap, kVersions, kVersion, kWritten
  std::vector<OrderEvent> cycle = {};
  std::vector<LaterFinding> later = {};  ///< kFound: why others did not come between
  /// kAtLeast, kAtMost of a bag: rows of the result by number, the first ones of their contents.
  std::vector<std::uint32_t> items = {};
};

/// Before whom the causes of a step were the last, unless they say otherwise: its transaction, or
/// at kVersion the one that left the version.
[[nodiscard]] inline TxnId usual_reader(const RowsProofStep& step) {
  return step.reason == RowsProofStep::Reason::kVersion ? step.other : step.txn;
}

/// An edge of a cycle, and the step of the proof that shows it: one that leaves no choice. Without
/// such a step, sessions or real time put the two in order.
struct RowsCycleEdge {
  OrderEvent from;
  OrderEvent to;
  const RowsProofStep* shown_by = nullptr;
  Relation relation = Relation::kProcess;  ///< kWw, kWr or kRw where a step shows it
};

/// A model has no order of events. The last clause is empty.
struct RowsProofEvidence {
  Model model = Model::kPl3;
  std::vector<TxnId> txns = {};  ///< that the proof speaks of, ascending
  std::vector<RowsProofStep> steps = {};
};

/// The cycle that the proof comes to, if it needs no choices: single steps show all its edges.
/// Empty if there is none.
[[nodiscard]] std::vector<RowsCycleEdge> plain_cycle(const RowsProofEvidence& evidence);

/// The class that the cycle belongs to, with session order or real time among its edges or without.
[[nodiscard]] AnomalyType class_of_cycle(std::span<const RowsCycleEdge> cycle, bool has_process,
                                         bool has_real_time);

}  // namespace elapid
