// Evidence of the levels that are defined by an order of events: an order that proves a history
// valid, or steps that prove that there is none. Pure data.
//
// A transaction has a start and a commit; at the serializable levels the two are one event. At
// every level edges of dependency lead from event to event (OrderLevel), and the level holds iff
// some choice of what was read from whom, of which indeterminate transactions took effect, and of
// the order of the writers of each key makes them acyclic.
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

/// As Elle and certificates name them, by Relation.
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

/// Whose write an external read of a key saw; none(): the initial state.
struct ReadFrom {
  TxnId reader;
  KeyId key;
  TxnId writer = TxnId::none();
  friend bool operator==(ReadFrom, ReadFrom) = default;
};

/// What a part of a row (rows_evidence.h) held before the first transaction.
struct PartAtFirst {
  KeyId row;
  std::uint32_t part = 0;
  ValueId value = ValueId::nil();
  friend bool operator==(const PartAtFirst&, const PartAtFirst&) = default;
};

/// At repeatable read and read committed of rows: an operation with a predicate wrote the row, and
/// the recording does not say which rows it wrote.
struct TakenRow {
  TxnId txn;
  std::uint32_t mop = 0;
  KeyId row;
  friend auto operator<=>(const TakenRow&, const TakenRow&) = default;
};

/// An order of the events of all transactions that took effect: committed ones, and those of the
/// indeterminate ones that are listed. Carried out in this order, every read returns what it did.
struct Witness {
  std::vector<OrderEvent> order = {};
  /// What was chosen for reads that several writes could have served, by reader and key.
  std::vector<ReadFrom> reads = {};
  /// Of rows in an open universe: those that existed at the beginning, each with its existence (1)
  /// before the columns that held something.
  std::vector<PartAtFirst> beginning = {};
  /// All that such operations wrote.
  std::vector<TakenRow> taken = {};
};

/// Something that a history leaves open, or its contrary.
struct Choice {
  enum class Kind : std::uint8_t {
    kBefore,      ///< `first` before `second` among the writers of every key that both write
    kReads,       ///< the external read of `key` by `first` saw `second`'s write (none(): the
                  ///< initial state)
    kTookEffect,  ///< the indeterminate transaction `first` took effect
  };
  Kind kind = Kind::kBefore;
  bool holds = true;  ///< kBefore: always; the contrary has `first` and `second` exchanged
  TxnId first = {};
  TxnId second = TxnId::none();  ///< kBefore, kReads
  KeyId key = {};                ///< kReads
  /// kReads of a list: the first so many elements of it end in `second`'s. 0: the whole list does.
  /// Of a register that `first` reads several times: the number of the read, from 0.
  std::uint32_t length = 0;
  friend bool operator==(Choice, Choice) = default;
};

/// One edge of a cycle of transactions, and what it rests on.
struct OrderEdge {
  TxnId from;
  TxnId to;
  Relation relation = Relation::kWw;
  KeyId key = {};                     ///< item relations
  TxnId overwritten = TxnId::none();  ///< kRw: whose version `from` read, none(): the initial state
  friend bool operator==(const OrderEdge&, const OrderEdge&) = default;
};

/// One clause: at least one of its choices holds in every acceptable execution.
struct ProofStep {
  std::vector<Choice> clause = {};
  /// If none of the choices held, these edges would, by what was proved before, and close a cycle
  /// of events. Empty: the clause follows from earlier ones by unit propagation.
  std::vector<OrderEdge> cycle = {};
};

/// A proof that no execution is acceptable: the last clause is empty. At saturable levels each
/// empty clause ends a proof of its own, of one violation each.
struct Refutation {
  std::vector<ProofStep> steps = {};
};

/// An exhaustive search found no order in which these transactions' reads could all be served, in
/// any state that it came to. Only another search could tell whether that is so.
struct ExhaustedSearch {
  std::vector<TxnId> txns = {};  ///< ascending
  std::uint32_t sessions = 0;    ///< that these are of
  std::uint64_t states = 0;      ///< visited; 0: what one of them read rules out all orders
};

}  // namespace elapid
