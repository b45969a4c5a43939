// The kinds of evidence: a finding, and the operations that show it. Pure data.
//
// engine/evidence describes each kind in neutral claims, engine/certify verifies it again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/levels/models.h"
#include "engine/verdict/event_ref.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid {

/// One edge of a cycle with the operations that force it.
struct Step {
  TxnId from;
  TxnId to;
  Relation relation = Relation::kWw;
  KeyId key = {};  ///< item relations only
  ValueId value =
      ValueId::none();  ///< version before: ww, rw; version read: wr. none() is the initial state
  ValueId value_after = ValueId::none();  ///< version written by `to`: ww, rw
  std::int32_t from_mop = -1;  ///< index of the operation in ops(from); -1 if there is none
  std::int32_t to_mop = -1;
  /// wr, rw of rows: the version was selected by a predicate, rather than read by its key.
  bool by_predicate = false;
  friend bool operator==(const Step&, const Step&) = default;
};

/// A step of a proof: one of the choices holds, since otherwise the steps would close a cycle.
/// Without steps, the clause follows from earlier clauses.
struct ProvedChoice {
  std::vector<Choice> clause;
  std::vector<Step> steps;
};

/// steps[i].to == steps[i + 1].from, and the last step returns to the first transaction.
struct CycleEvidence {
  std::vector<Step> steps;
  /// If the orders of versions in `steps` rest on a proof in Verdict::levels: the other steps of
  /// that proof, which ends with this cycle. The anomaly's type covers all these cycles: each order
  /// of versions has a cycle of that class, or of a class that counts as it.
  std::vector<ProvedChoice> because = {};
  bool is_inferred = false;
};

/// G1a, G1b, garbage-read, future-read: a read of a value that it must not see.
struct ReadEvidence {
  TxnId reader;
  std::uint32_t mop = 0;                ///< index in ops(reader)
  ValueId element = ValueId::none();    ///< the value, or the element of a list
  std::optional<EventRef> writer = {};  ///< of the element, if a transaction wrote it
};

/// predicate-read-miss: a predicate did not find a row, although each version of it matches.
struct PredicateMissEvidence {
  TxnId reader;
  std::uint32_t mop = 0;  ///< index in ops(reader)
  KeyId row;
  std::vector<ValueId> versions = {};  ///< in the order in which they were written
};

/// The result that a read should have, by its transaction's own earlier operations.
struct ExpectedRead {
  enum class Kind : std::uint8_t {
    kScalar,  ///< exactly `scalar`, nil included
    kList,    ///< exactly `elements`
    kSuffix,  ///< any list that ends in `elements`
  };
  Kind kind = Kind::kScalar;
  ValueId scalar = ValueId::nil();
  std::vector<ValueId> elements = {};
};

/// internal: a read that contradicts the transaction's own earlier operations.
struct InternalEvidence {
  TxnId txn;
  std::uint32_t mop = 0;
  ExpectedRead expected;
};

struct DuplicateElementsEvidence {
  TxnId txn;
  std::uint32_t mop = 0;
  std::vector<std::pair<ValueId, std::uint32_t>> counts;  ///< elements seen more than once
};

/// Two reads of one key; neither is a prefix of the other.
struct IncompatibleOrderEvidence {
  KeyId key;
  EventRef first_reader;
  std::uint32_t first_mop = 0;
  EventRef second_reader;
  std::uint32_t second_mop = 0;
};

/// A committed version built on an aborted one.
struct DirtyUpdateEvidence {
  KeyId key;
  std::vector<ValueId> values;  ///< elements from the last good version to the committed one
  TxnId aborted;
  TxnId committed;
};

/// Two or more transactions read one version of a key, and each wrote the next one.
struct LostUpdateEvidence {
  KeyId key;
  std::vector<TxnId> txns;  ///< in history order
  std::uint32_t mop = 0;    ///< the read in ops(txns[0]) that shows the version
};

/// The source of an assumption about the version orders of registers.
enum class VersionSource : std::uint8_t {
  kInitialState,
  kTransactionOrder,
  kWfrKeys,
  kSequentialKeys,
  kLinearizableKeys,
};

/// Elle's name of the source, as `wfr-keys`.
[[nodiscard]] std::string_view name(VersionSource source);

/// Version orders of a register that contradict one another.
struct CyclicVersionsEvidence {
  KeyId key;
  std::vector<ValueId> versions;  ///< one strongly connected component
  std::vector<VersionSource> sources;
};

/// A model's dependency graph has a cycle of some class.
struct CycleExistsEvidence {
  Model model;                   ///< the refuted model
  std::vector<TxnId> component;  ///< ordered by index of the completion
  std::vector<Step> walk;        ///< a closed walk that shows it; may be empty under --elle-compat
  /// If no single cycle shows it: a proof in Verdict::levels that every choice has a cycle. The
  /// last clause is empty.
  std::vector<ProvedChoice> because = {};
};

/// A model allows no order of events: a search tried all orders. Only another search can verify
/// this.
struct NoOrderEvidence {
  Model model;  ///< the model that is thereby impossible
  ExhaustedSearch search;
};

/// The search for cycles ran out of budget in one component.
struct SearchTimeoutEvidence {
  AnomalyType searching = AnomalyType::kG0;
  std::vector<AnomalyType> does_not_contain;
  std::uint32_t component_size = 0;
};

/// No transaction to check.
struct EmptyGraphEvidence {};

/// The axioms for a history with the database's start and commit timestamps.
enum class TimestampAxiom : std::uint8_t {
  kInt,         ///< a read agrees with its transaction's own earlier operations
  kExt,         ///< a read of others' writes shows the last commit at that time
  kNoConflict,  ///< overlapping transactions write no common key
  kSession,     ///< a session's transactions follow one another
  kRealTime,    ///< a transaction follows those that ended before it began
  kStartFirst,  ///< a transaction starts before it commits
};
inline constexpr std::size_t kTimestampAxiomCount = 6;

/// The origin of a value that a transaction read although another value was current.
enum class ReadOrigin : std::uint8_t {
  kBefore,        ///< an older version
  kUncommitted,   ///< a transaction that had started, and not committed
  kAfter,         ///< a transaction that had not even started
  kIntermediate,  ///< a version that its own transaction overwrote or extended
  kAborted,
  kOwnFuture,  ///< the reader itself, which wrote it later
  kNowhere,    ///< no transaction wrote it
};
inline constexpr std::size_t kReadOriginCount = 7;

/// One violation of an axiom.
struct TimestampEvidence {
  TimestampAxiom axiom = TimestampAxiom::kInt;
  /// Reads are judged at their transaction's commit (serializability), not at its start.
  bool at_commit = false;
  TxnId txn = {};  ///< the reader, or the later one of two transactions
  /// kExt: the writer of the value read, or none(). kNoConflict, kSession, kRealTime: the
  /// transaction that should have come before.
  TxnId other = TxnId::none();
  KeyId key = {};                            ///< kInt, kExt, kNoConflict
  std::uint32_t mop = 0;                     ///< kInt, kExt: the read in ops(txn)
  ExpectedRead expected = {};                ///< kInt, kExt
  TxnId expected_writer = TxnId::none();     ///< kExt: its writer; none(): the initial state
  ReadOrigin origin = ReadOrigin::kNowhere;  ///< kExt
  bool within_clock_skew = false;            ///< errors of the clocks may explain it
};

/// The numbers of all violations, listed or not.
struct TimestampCounts {
  std::array<std::uint64_t, kTimestampAxiomCount> by_axiom = {};
  std::array<std::uint64_t, kReadOriginCount> by_origin = {};  ///< of kExt
  std::uint64_t within_clock_skew = 0;
};

/// mixed-levels: no commit order lets each transaction read what its own level allows.
struct MixEvidence {
  /// The levels of the transactions that the proof names, ascending.
  std::vector<std::pair<TxnId, Model>> levels = {};
  Refutation proof = {};
  std::vector<ProvedChoice> because = {};  ///< the same proof, with its operations
};

using Evidence =
    std::variant<CycleEvidence, ReadEvidence, InternalEvidence, DuplicateElementsEvidence,
                 IncompatibleOrderEvidence, DirtyUpdateEvidence, LostUpdateEvidence,
                 CyclicVersionsEvidence, CycleExistsEvidence, NoOrderEvidence,
                 SearchTimeoutEvidence, EmptyGraphEvidence, TimestampEvidence,
                 PredicateMissEvidence, RowsProofEvidence, MixEvidence>;

struct Anomaly {
  AnomalyType type = AnomalyType::kG0;
  Evidence evidence;
};

}  // namespace elapid
