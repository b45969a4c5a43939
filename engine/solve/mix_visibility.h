// The demands of weak levels on commit orders: the writers that a reader's level makes visible to
// it precede the writer that it read from.
//
// Example: T, read atomic, reads y from T2 and x from T1, and T2 also writes x. T2 is visible to T.
// So T2 precedes T1, whatever the levels of T1 and T2 are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/int_map.h"
#include "engine/levels/txn_levels.h"
#include "engine/solve/mix_reads.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// `visible` precedes `seen`, since both wrote the key and the reader read from `seen`.
struct VisibleOrder {
  TxnId visible;
  TxnId seen = TxnId::none();  ///< none(): the initial state, which no write can precede
  TxnId reader;
  KeyId key;
};

/// Requires a known writer for each read, as far as a weak level needs it. Linear in operations and
/// orders; at causal consistency, times the chains of reads and sessions.
class MixVisibility {
 public:
  /// `memory`: bytes for reachability at causal consistency.
  MixVisibility(const History& history, const TxnLevels& levels, const MixReads& reads,
                std::size_t memory);

  /// The reason why the orders are unknown; empty if they are known.
  [[nodiscard]] const std::string& unclear() const { return unclear_; }

  /// Whether the reason is that it is open which transactions took effect.
  [[nodiscard]] bool lacks_participants() const { return lacks_participants_; }

  /// Whether the transaction committed, or took effect because it was read from.
  [[nodiscard]] bool took_effect(TxnId txn) const { return took_effect_[txn.index()]; }

  [[nodiscard]] const std::vector<VisibleOrder>& orders() const { return orders_; }

  /// The path of edges from the writer to the reader that makes the writer visible.
  [[nodiscard]] std::vector<OrderEdge> path(const VisibleOrder& order) const;

 private:
  void index_writers();
  void find_participants();
  [[nodiscard]] std::vector<bool> read_by_open() const;
  void find_sources();
  [[nodiscard]] std::uint32_t source_of(TxnId reader, const OthersRead& read);
  [[nodiscard]] bool writes(std::uint32_t txn, KeyId key) const;
  [[nodiscard]] bool is_weak(TxnId txn) const;
  void order_read_committed(TxnId reader);
  void order_read_atomic(TxnId reader);
  void order_causal(std::size_t memory);
  void add(std::uint32_t visible, std::uint32_t seen, TxnId reader, KeyId key);

  template <class Visit>
  void each_edge_to(TxnId reader, Visit visit) const;

  const History& history_;
  const TxnLevels& levels_;
  const MixReads& reads_;
  bool has_causal_;
  IntMap writers_;  // by key and value: a transaction that wrote it
  IntMap several_;  // the same, for values with several writers
  std::vector<bool> took_effect_;
  std::vector<std::uint32_t> sources_;  // by read; none(): the initial state, or not needed
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> session_writers_;
  std::vector<VisibleOrder> orders_;
  std::string unclear_;
  bool lacks_participants_ = false;
};

}  // namespace elapid
