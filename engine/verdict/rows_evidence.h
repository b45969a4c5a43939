// A proof that no order of transactions on rows explains the results of all operations. Pure data.
//
// A row has parts: its existence, its version, and each of its columns. A transaction finds each
// part as the part's last writer left it. Suppose that certain transactions are the last writers of
// certain parts, and that an operation's result is impossible then. Then one of them is not the
// last: it comes after the reader, or another writer comes in between.
//
// Example: the initial transaction says that row 7 has age 5, T1 wrote that its age is 15, and T2
// read rows with 10 <= age <= 20 and was not shown row 7. If T1 were the last before T2 to write
// the age, T2 would have found row 7. No other transaction wrote the age: so T2 comes before T1.
//
// At repeatable read (PL-2.99) a predicate may concern any earlier version of a row. If certain
// versions exclude an operation's result, it concerned another version, and the writer of that
// version came before it. If a result has no keys, its relation to each row is a choice: that the
// operation found the row, or that it found the row with one of the contents shown.
//
// At read atomic a transaction reads the state that a set of earlier transactions left. So if one
// of its operations concerned a version that T1 left, none concerned a version that T1 overwrote.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Parts of a row, by number: its existence, its version, and from kFirstColumn on its columns.
inline constexpr std::uint32_t kRowExistence = 0;
inline constexpr std::uint32_t kRowVersion = 1;
inline constexpr std::uint32_t kFirstColumn = 2;

/// The last writer of a part of a row before `reader` reads; none() if no transaction wrote it.
/// Then, in an open universe, the clause states the part's value at the beginning, by the negation
/// of kAtFirst. For the version that a row had at the beginning, the reader is none() too.
struct LastWriter {
  KeyId row;
  std::uint32_t part = kRowExistence;
  TxnId writer = TxnId::none();
  TxnId reader = TxnId::none();
  friend bool operator==(const LastWriter&, const LastWriter&) = default;
};

/// An operation after the reader of a step. Only earlier writers left the row as this operation
/// found it, so no transaction wrote the row in between.
struct LaterFinding {
  TxnId txn;
  std::uint32_t mop = 0;
  friend bool operator==(const LaterFinding&, const LaterFinding&) = default;
};

// How an operation found a row, if its result has no keys. Any other number: a row of its result.

/// As the result says, which lists rows.
inline constexpr std::uint32_t kAsRecorded = 0xffffffffU;
/// Found, with any contents.
inline constexpr std::uint32_t kAsFound = 0xfffffffeU;
/// Not found.
inline constexpr std::uint32_t kAsMissed = 0xfffffffdU;

/// A statement about an execution, or its negation.
struct RowsChoice {
  enum class Kind : std::uint8_t {
    kBefore,      ///< event `first` comes before event `second`
    kBetween,     ///< `middle` took effect, and commits after `first` does (none(): at any time)
                  ///< and before `second`, the event at which `second`'s transaction reads
    kTookEffect,  ///< the indeterminate transaction of `first` took effect
    kConcerned,   ///< `middle` took effect before `first`, and operation `mop` of `first` may have
                  ///< found the version of `row` at `middle`'s commit, in the way `as`; at read
                  ///< atomic it did, and `middle` wrote that version; `middle` none(): the version
                  ///< at the beginning
    kFound,       ///< at repeatable read: operation `mop` of `first`, a delete or one whose result
                  ///< has no keys, found `row` in the way `as`; if it writes, it wrote `row`
    kAtFirst,     ///< in an open universe: at the beginning `part` of `row` was one of `values`, or
                  ///< a value that nothing in the history tells from one of them; 1 is existence,
                  ///< none() an empty column
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
    kFound,      ///< if all `causes` held, `txn` could not have the result of operation `mop`
    kOverlap,    ///< `txn` and `other` both write `row`, so they do not overlap
    kCycle,      ///< if no choice held, `cycle` would return to its first event
    kMeaning,    ///< it is what kBetween, kConcerned, kFound and kAtFirst mean
    kContents,   ///< in an open universe: the values that a column may have at the beginning
    kVersions,   ///< at repeatable read: all versions of `row` that operation `mop` of `txn`, which
                 ///< has a predicate, may have concerned
    kVersion,    ///< at repeatable read: given all `causes`, it did not concern `other`'s version
    kWritten,    ///< at repeatable read: the possible writers of a part of `row` that the result of
                 ///< operation `mop` of `txn` shows
    kFractured,  ///< at read atomic: where `txn` concerned a version that `other` left, operation
                 ///< `mop` concerned no older version of `row`, which `other` wrote
    kAtLeast,    ///< at repeatable read: operation `mop` of `txn` found so many rows as `items`
    kAtMost,     ///< at repeatable read: it found no more
    kDerived,    ///< unit propagation derives it from earlier steps
  };
  std::vector<RowsChoice> clause = {};
  Reason reason = Reason::kDerived;
  TxnId txn = {};
  std::uint32_t mop = 0;
  std::vector<LastWriter> causes = {};
  bool by_predicate = false;    ///< kFound: the operation has a predicate
  TxnId other = TxnId::none();  ///< kOverlap, kVersion, kFractured
  KeyId row = KeyId::none();    ///< kOverlap, kVersions, kVersion, kWritten, kFractured
  std::vector<OrderEvent> cycle = {};
  std::vector<LaterFinding> later = {};  ///< kFound: they show that no writer came between
  /// kAtLeast, kAtMost of a bag: numbers of rows of the result, the first row of each contents.
  std::vector<std::uint32_t> items = {};
};

/// The reader of a step's causes, unless a cause names another: the step's transaction, or at
/// kVersion the writer of the version.
[[nodiscard]] inline TxnId usual_reader(const RowsProofStep& step) {
  return step.reason == RowsProofStep::Reason::kVersion ? step.other : step.txn;
}

/// An edge of a cycle, and the proof step that shows it, without an alternative. Without such a
/// step, sessions or real time order the two events.
struct RowsCycleEdge {
  OrderEvent from;
  OrderEvent to;
  const RowsProofStep* shown_by = nullptr;
  Relation relation = Relation::kProcess;  ///< kWw, kWr or kRw where a step shows it
};

/// A proof that a model allows no order of events. The last clause is empty.
struct RowsProofEvidence {
  Model model = Model::kPl3;
  std::vector<TxnId> txns = {};  ///< the transactions in the proof, ascending
  std::vector<RowsProofStep> steps = {};
};

/// The cycle in which the proof ends, if each of its edges is shown by a single step. Otherwise
/// empty.
[[nodiscard]] std::vector<RowsCycleEdge> plain_cycle(const RowsProofEvidence& evidence);

/// The negation of a choice. Of two events, one comes first.
[[nodiscard]] RowsChoice contrary(RowsChoice choice);

/// The relation of two transactions that a step of an operation shows.
[[nodiscard]] Relation relation_shown(const RowsProofStep& step, OrderEvent from, OrderEvent to);

}  // namespace elapid
