// Nearest earlier operations on a key along the paths of Elle's real-time graph that avoid the key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::elle {

/// One key after another; `history` is borrowed.
class AvoidingPaths {
 public:
  using TxnSet = std::vector<TxnId>;  // in no order, without repetitions

  explicit AvoidingPaths(const History& history);

  /// Begins with the next key, which `touching` touch.
  void start(std::span<const TxnId> touching);

  /// The committed transactions that touch the key and come nearest before this one. Depth-first
  /// with an explicit stack; valid until the next call.
  const TxnSet& nearest_before(TxnId txn);

 private:
  [[nodiscard]] bool passes(TxnId txn) const;
  [[nodiscard]] TxnSet collect(TxnId at);

  const History& history_;
  std::vector<TxnSet> predecessors_;  // in the real-time graph
  std::uint32_t key_ = 0;             // counts the keys that were begun
  EventId first_completion_;
  std::vector<std::uint32_t> touched_;  // the last key for which the transaction was marked
  std::vector<std::uint32_t> known_;    // the last key for which reached_by_ was computed
  std::vector<TxnSet> reached_by_;
  std::vector<bool> collected_;  // by the collect() under way
  std::vector<TxnId> stack_;
};

}  // namespace elapid::elle
