// Evidence of the levels that are defined by an order of events: an order that proves a history
// valid, or steps that prove that there is none. Pure data.
//
// A transaction has a start and a commit; at the serializable levels the two are one event. At
// every level edges of dependency lead from event to event (OrderLevel). The level holds iff these
// edges are acyclic for some choice of the writer that each read saw, the indeterminate
// transactions that took effect, and the order of each key's writers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/ir/ids.h"

namespace elapid {

/// Kinds of dependency edge. The bit order is Elle's, which decides ties (predicate kinds come
/// later).
enum class Relation : std::uint8_t {
  kWw,        ///< `to` overwrote what `from` wrote
  kWr,        ///< `to` read what `from` wrote
  kRw,        ///< `to` overwrote what `from` read (anti-dependency)
  kProcess,   ///< session order
  kRealtime,  ///< `from` completed before `to` was invoked
};

/// The names of relations in Elle and in certificates, by Relation.
inline constexpr std::array<std::string_view, 5> kRelationNames = {"ww", "wr", "rw", "process",
                                                                   "realtime"};

[[nodiscard]] constexpr std::string_view relation_name(Relation relation) {
  return kRelationNames.at(static_cast<std::size_t>(relation));
}

/// A start or a commit. At the serializable levels commits stand for both.
struct OrderEvent {
  TxnId txn;
  bool is_commit = true;
  friend bool operator==(OrderEvent, OrderEvent) = default;
};

/// The writer that an external read of a key saw; none(): the initial state.
struct ReadFrom {
  TxnId reader;
  KeyId key;
  TxnId writer = TxnId::none();
  friend bool operator==(ReadFrom, ReadFrom) = default;
};

/// The value of a part of a row (rows_evidence.h) before the first transaction.
struct PartAtFirst {
  KeyId row;
  std::uint32_t part = 0;
  ValueId value = ValueId::nil();
  friend bool operator==(const PartAtFirst&, const PartAtFirst&) = default;
};

/// At repeatable read and read committed of rows: an operation with a predicate wrote the row, and
/// the recording does not say which rows it wrote. At read committed and read atomic also: a delete
/// by key found its row.
struct TakenRow {
  TxnId txn;
  std::uint32_t mop = 0;
  KeyId row;
  friend auto operator<=>(const TakenRow&, const TakenRow&) = default;
};

/// An order of the events of all transactions that took effect: the committed ones, and the
/// indeterminate ones in the list. Executed in this order, every read returns its recorded result.
struct Witness {
  std::vector<OrderEvent> order = {};
  /// The chosen writers of reads that several writes could have served, by reader and key. At read
  /// atomic of rows: rows whose later versions the reader does not see. So it sees no write of the
  /// transactions that wrote these versions.
  std::vector<ReadFrom> reads = {};
  /// Of rows in an open universe: those that existed at the beginning. The existence (1) of each
  /// row comes before its columns that held a value.
  std::vector<PartAtFirst> beginning = {};
  /// The rows that operations as in TakenRow wrote.
  std::vector<TakenRow> taken = {};
};

/// A statement that a history leaves open, or its negation.
struct Choice {
  enum class Kind : std::uint8_t {
    kBefore,      ///< `first` before `second` among the writers of every key that both write
    kReads,       ///< the external read of `key` by `first` saw `second`'s write (none(): the
                  ///< initial state)
    kTookEffect,  ///< the indeterminate transaction `first` took effect
  };
  Kind kind = Kind::kBefore;
  bool holds = true;  ///< kBefore: always; the negation exchanges `first` and `second`
  TxnId first = {};
  TxnId second = TxnId::none();  ///< kBefore, kReads
  KeyId key = {};                ///< kReads
  /// kReads of a list: its first `length` elements end in those of `second`; 0: the whole list
  /// does. kReads of a register that `first` reads several times: the number of the read, from 0.
  std::uint32_t length = 0;
  friend bool operator==(Choice, Choice) = default;
};

/// One edge of a cycle of transactions, and the facts that it rests on.
struct OrderEdge {
  TxnId from;
  TxnId to;
  Relation relation = Relation::kWw;
  KeyId key = {};                     ///< item relations
  TxnId overwritten = TxnId::none();  ///< kRw: whom `from` read from; none(): the initial state
  friend bool operator==(const OrderEdge&, const OrderEdge&) = default;
};

/// One clause: at least one of its choices holds in every acceptable execution.
struct ProofStep {
  std::vector<Choice> clause = {};
  /// If none of the choices held, these edges would follow from earlier clauses, and close a cycle
  /// of events. Empty: the clause follows from earlier ones by unit propagation.
  std::vector<OrderEdge> cycle = {};
};

/// A proof that no execution is acceptable: the last clause is empty. At saturable levels each
/// empty clause ends the proof of one violation.
struct Refutation {
  std::vector<ProofStep> steps = {};
};

/// An exhaustive search found no order that serves all reads of these transactions, in any state
/// that it visited. Only another search can verify this.
struct ExhaustedSearch {
  std::vector<TxnId> txns = {};  ///< ascending
  std::uint32_t sessions = 0;    ///< the number of their sessions
  std::uint64_t states = 0;      ///< visited; 0: a read of one of them rules out all orders
};

}  // namespace elapid
