// The demands of weak levels on commit orders: the writers that a reader's level makes visible to
// it precede the writer that it read from.
//
// Example: T, read atomic, reads y from T2 and x from T1, and T2 also writes x. T2 is visible to T.
// So T2 precedes T1, whatever the levels of T1 and T2 are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/int_map.h"
#include "engine/levels/txn_levels.h"
#include "engine/solve/mix_reads.h"
#include "engine/solve/solve.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// `visible` precedes `seen`, since both wrote the key and the reader read from `seen`.
struct VisibleOrder {
  TxnId visible;
  TxnId seen = TxnId::none();  ///< none(): the initial state, which no write can precede
  TxnId reader;
  KeyId key;
};

/// Requires a known writer for each read, as far as a weak level needs it. Near linear in
/// operations, times the writers of a session that has no order; at causal consistency, times the
/// chains of reads and sessions.
class MixVisibility {
 public:
  /// Of `options` the memory for reachability counts, at causal consistency, and keep_going().
  MixVisibility(const History& history, const TxnLevels& levels, const MixReads& reads,
                const SolveOptions& options);

  /// The reason why the orders are unknown; empty if they are known.
  [[nodiscard]] const std::string& unclear() const { return unclear_; }

  /// Whether the reason is that it is open which transactions took effect.
  [[nodiscard]] bool lacks_participants() const { return lacks_participants_; }

  /// Whether the transaction committed, or took effect because it was read from.
  [[nodiscard]] bool took_effect(TxnId txn) const { return took_effect_[txn.index()]; }

  /// Whether the transaction did not abort and writes the key.
  [[nodiscard]] bool writes(TxnId txn, KeyId key) const;

  /// What follows from these and from the axioms is missing.
  [[nodiscard]] const std::vector<VisibleOrder>& orders() const { return orders_; }

  /// The path of edges from the writer to the reader that makes the writer visible.
  [[nodiscard]] std::vector<OrderEdge> path(const VisibleOrder& order) const;

 private:
  /// Of the reads of a key that the current reader performs: the first two different sources.
  struct KeySources {
    TxnId reader = TxnId::none();
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second = {};
  };

  void index_writers();
  void find_participants();
  [[nodiscard]] std::vector<bool> read_by_open() const;
  void find_sources();
  [[nodiscard]] bool is_initial(const OthersRead& read) const;
  [[nodiscard]] std::uint32_t source_of(TxnId reader, const OthersRead& read);
  [[nodiscard]] std::span<const KeyId> written(TxnId txn) const;
  [[nodiscard]] bool is_weak(TxnId txn) const;
  void order_by_reads(TxnId reader);
  void note(TxnId reader, KeyId key, std::uint32_t source);
  void order_before(std::uint32_t visible, TxnId reader);
  void order_by_session(TxnId reader);
  void order_causal();
  void add(std::uint32_t visible, std::uint32_t seen, TxnId reader, KeyId key);
  [[nodiscard]] bool goes_on();

  template <class Visit>
  void each_edge_to(TxnId reader, Visit visit) const;

  const History& history_;
  const TxnLevels& levels_;
  const MixReads& reads_;
  const SolveOptions& options_;
  bool has_causal_;
  std::vector<std::uint32_t> written_begin_;  // by transaction
  std::vector<KeyId> written_;                // by transaction, ascending
  IntMap writers_;                            // by key and value: a transaction that wrote it
  IntMap several_;                            // the same, for values with several writers
  std::vector<bool> took_effect_;
  std::vector<std::uint32_t> sources_;  // by read; none(): the initial state, or not needed
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> session_writers_;
  std::vector<TxnId> first_reader_;  // by transaction: the last reader that was met
  std::vector<KeySources> by_key_;
  std::vector<KeyId> keys_;  // those of by_key_ that the current reader reads
  std::vector<VisibleOrder> orders_;
  std::string unclear_;
  bool lacks_participants_ = false;
};

}  // namespace elapid
