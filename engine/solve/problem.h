// The problem: the write that each read saw, and the order of the writers of each key.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/solve/footprints.h"
#include "engine/solve/key_links.h"
#include "engine/solve/list_places.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A write, as its place in OrderProblem::writes(); kInitialState: the write of the initial state.
using WriteRef = std::uint32_t;
inline constexpr WriteRef kInitialState = std::numeric_limits<std::uint32_t>::max();
/// The writer is not known yet.
inline constexpr WriteRef kOpenWriter = kInitialState - 1;

/// The last write of a transaction to a key. Transactions are numbered as in the history.
struct FinalWrite {
  std::uint32_t txn = 0;
  KeyId key;
  ValueId value;
};

/// The external read of a key. Between the write that it saw and the reader's start (kSnapshot,
/// kPrefix) no other writer of the key commits.
struct ExternalRead {
  std::uint32_t txn = 0;
  KeyId key;
  std::uint32_t begin = 0;    ///< the first of its candidates
  std::uint32_t count = 0;    ///< their number; if it is 1, the read saw that candidate
  bool is_ambiguous = false;  ///< whether it had several candidates at first
  bool is_shared = false;     ///< whether other reads of the value have the same candidates
  bool is_append = false;     ///< an append that follows the write it "saw": it says nothing of the
                              ///< reader's start, only of its commit
};

/// Whether a transaction is part of no execution, of some executions, or of all.
enum class Presence : std::uint8_t { kAbsent, kOptional, kCertain };

class OrderProblem {
 public:
  /// `assumptions` about keys restrict registers. Calls `keep_going` now and then while elements of
  /// lists are placed. If it returns false, the problem is unclear.
  OrderProblem(const History& history, const Assumptions& assumptions = {},
               const std::function<bool()>& keep_going = {});

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] std::uint32_t txn_count() const {
    return static_cast<std::uint32_t>(presence_.size());
  }

  [[nodiscard]] Presence presence(std::uint32_t txn) const { return presence_[txn]; }

  [[nodiscard]] bool is_certain(std::uint32_t txn) const {
    return presence_[txn] == Presence::kCertain;
  }

  /// Notes that the transaction took effect.
  void make_certain(std::uint32_t txn) { presence_[txn] = Presence::kCertain; }

  /// Notes that the transaction took effect because the read can only have seen its write.
  void make_certain(std::uint32_t txn, std::uint32_t read) {
    make_certain(txn);
    proven_by_.emplace(txn, read);
  }

  /// Notes that the transaction took effect because its element is in the key's list.
  void make_certain(std::uint32_t txn, KeyId key) {
    make_certain(txn);
    shown_by_.emplace(txn, key);
  }

  /// The read that proves that an indeterminate transaction took effect, if a single read does.
  [[nodiscard]] std::optional<std::uint32_t> proven_by(std::uint32_t txn) const {
    const auto read = proven_by_.find(txn);
    return read == proven_by_.end() ? std::nullopt : std::optional(read->second);
  }

  /// The key of the list with repeated elements that proves that it took effect, if one does.
  [[nodiscard]] std::optional<KeyId> shown_by(std::uint32_t txn) const {
    const auto key = shown_by_.find(txn);
    return key == shown_by_.end() ? std::nullopt : std::optional(key->second);
  }

  /// Sorted by key, value and transaction, without those of absent transactions.
  [[nodiscard]] std::span<const FinalWrite> writes() const { return writes_; }

  [[nodiscard]] const FinalWrite& write(WriteRef ref) const { return writes_[ref]; }

  /// The transaction of the write; none() for the initial state.
  [[nodiscard]] TxnId writer_id(WriteRef ref) const {
    return ref == kInitialState ? TxnId::none() : TxnId{writes_[ref].txn};
  }

  /// The writes of a key are first_write(key) .. first_write(key + 1) - 1.
  [[nodiscard]] WriteRef first_write(std::uint32_t key) const { return key_begin_[key]; }

  /// The transaction's write to the key, or kInitialState for none. O(log writers of the value).
  [[nodiscard]] WriteRef write_of(std::uint32_t txn, KeyId key) const;

  /// The writes of a transaction, by key.
  [[nodiscard]] std::span<const WriteRef> writes_by(std::uint32_t txn) const {
    return std::span(writes_by_txn_)
        .subspan(txn_begin_[txn], txn_begin_[txn + 1] - txn_begin_[txn]);
  }

  [[nodiscard]] std::span<const ExternalRead> reads() const { return reads_; }

  /// The reads of a transaction are first_read(txn) .. first_read(txn + 1) - 1.
  [[nodiscard]] std::uint32_t first_read(std::uint32_t txn) const { return read_begin_[txn]; }

  /// The initial state, if it is a candidate, then the writes, ascending.
  [[nodiscard]] std::span<const WriteRef> candidates(std::uint32_t read) const {
    return std::span(candidates_).subspan(reads_[read].begin, reads_[read].count);
  }

  /// Whether the write is still a candidate. O(log candidates).
  [[nodiscard]] bool may_have_seen(std::uint32_t read, WriteRef writer) const;

  /// Removes a candidate; keeps the order of the others.
  void exclude(std::uint32_t read, WriteRef candidate);

  /// The write that the read saw, or kOpenWriter. Reads of optional transactions stay open.
  [[nodiscard]] WriteRef writer_of(std::uint32_t read) const {
    const ExternalRead& r = reads_[read];
    return r.count == 1 && is_certain(r.txn) ? candidates_[r.begin] : kOpenWriter;
  }

  /// Pairs of transactions: (last shown append, append that no read shows); all appends without a
  /// read follow the shown ones. Also committed writers with a given order.
  struct KnownOrder {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    KeyId key;
  };

  [[nodiscard]] const std::vector<KnownOrder>& known_orders() const { return known_orders_; }

  /// The demands of assumptions about keys, by first transaction and key.
  [[nodiscard]] const std::vector<KeyLink>& key_links() const { return key_links_; }

  /// The links that begin with this read, because its transaction does not write the key, and end
  /// in another read: the writer that this read saw precedes the reader at the end.
  [[nodiscard]] std::span<const KeyLink> links_from(std::uint32_t read) const;

  /// Lists with repeated elements. Their evidence is not in reads() and known_orders().
  [[nodiscard]] const ListPlaces& lists() const { return lists_; }

  [[nodiscard]] ListPlaces& lists() { return lists_; }

  /// Anomalies that need no order. If there is one, the history satisfies no level.
  [[nodiscard]] const std::vector<Anomaly>& anomalies() const { return anomalies_; }

  /// Why the lists that were read contradict one another: no level holds. Empty if they do not.
  [[nodiscard]] const std::string& contradiction() const { return contradiction_; }

  /// The reason why the problem does not describe the whole history; empty if it does.
  [[nodiscard]] const std::string& unclear() const { return unclear_; }

 private:
  friend class ProblemBuilder;

  const History& history_;
  std::vector<Presence> presence_;
  std::unordered_map<std::uint32_t, std::uint32_t> proven_by_;
  std::unordered_map<std::uint32_t, KeyId> shown_by_;
  std::vector<FinalWrite> writes_;
  std::vector<WriteRef> key_begin_;
  std::vector<std::uint32_t> txn_begin_;
  std::vector<WriteRef> writes_by_txn_;
  std::vector<ExternalRead> reads_;
  std::vector<std::uint32_t> read_begin_;
  std::vector<WriteRef> candidates_;
  std::vector<KnownOrder> known_orders_;
  std::vector<KeyLink> key_links_;
  ListPlaces lists_;
  std::vector<Anomaly> anomalies_;
  std::string contradiction_;
  std::string unclear_;
};

}  // namespace elapid
