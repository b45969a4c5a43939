// The problem of a level that forbids cycles: the certain facts of a history, and its open choices:
// the writers of reads, and the order of each key's writers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/ir/history.h"
#include "engine/saturate/observations.h"
#include "engine/solve/txn_reader.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// The parts that do not depend on choices. Near linear in operations. Refers to the observations.
class CycleProblem {
 public:
  /// `rules`: those of the observations.
  CycleProblem(const Observations& seen, ReadRules rules);

  [[nodiscard]] const Observations& seen() const { return seen_; }

  [[nodiscard]] const History& history() const { return seen_.history(); }

  /// Cycles of certain edges. If there is one, the answer is known, and the rest of this class must
  /// not be used.
  [[nodiscard]] const std::vector<std::vector<OrderEdge>>& certain_cycles() const {
    return certain_cycles_;
  }

  /// The transaction that wrote the initial state and comes first; Seen::kNoTxn if there is none.
  [[nodiscard]] std::uint32_t initial() const { return initial_; }

  /// Drafts an order as close to this one as certain edges allow.
  void draft_as(std::span<const std::uint32_t> order);

  /// Places of the transactions in a likely order, which agrees with all certain edges.
  [[nodiscard]] std::span<const std::uint32_t> draft() const { return draft_; }

  /// The index of a read's operation, by the read's place among all reads.
  [[nodiscard]] std::uint32_t read_mop(std::uint32_t place) const { return read_mops_[place]; }

  /// The number of a transaction's write of a key among the writes of all.
  [[nodiscard]] std::uint32_t write_of(std::uint32_t txn, KeyId key) const;

  [[nodiscard]] std::uint32_t write_count() const {
    return static_cast<std::uint32_t>(write_mops_.size());
  }

  /// The index of the operation whose version of a write others see.
  [[nodiscard]] std::uint32_t write_mop(std::uint32_t write) const { return write_mops_[write]; }

  /// The number of the key's writes that precede this one in all executions, as lists show.
  [[nodiscard]] std::uint32_t depth(std::uint32_t write) const { return depths_[write]; }

  /// The transactions that may have written the key, ascending.
  [[nodiscard]] std::span<const std::uint32_t> writers(KeyId key) const {
    return writers_.of(key.value);
  }

  /// Whether in all executions `first` precedes `second` on the keys that both write.
  [[nodiscard]] bool is_certain(std::uint32_t first, std::uint32_t second) const;

  /// Calls `visit(key)` for each key that both write, until it returns true. Whether it did.
  template <class Visit>
  bool some_shared_key(std::uint32_t a, std::uint32_t b, Visit visit) const {
    const std::span<const KeyId> left = seen_.written(a);
    const std::span<const KeyId> right = seen_.written(b);
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
      if (left[i] == right[j] && visit(left[i])) {
        return true;
      }
      const bool is_left_behind = left[i] <= right[j];
      const bool is_right_behind = right[j] <= left[i];
      i += is_left_behind ? 1U : 0U;
      j += is_right_behind ? 1U : 0U;
    }
    return false;
  }

 private:
  void find_operations(ReadRules rules);
  [[nodiscard]] std::vector<OrderEdge> certain_edges() const;
  void make_draft();
  void set_draft(std::span<const std::uint32_t> order);
  void count_depths();

  const Observations& seen_;
  std::uint32_t initial_ = Seen::kNoTxn;
  std::vector<std::uint32_t> read_mops_;    // by read
  std::vector<std::uint32_t> first_write_;  // by transaction
  std::vector<std::uint32_t> write_mops_;   // by write
  std::vector<std::uint32_t> depths_;       // by write
  std::vector<std::uint32_t> draft_;        // by transaction
  std::vector<std::vector<OrderEdge>> certain_cycles_;
  Adjacency writers_;  // by key
};

}  // namespace elapid
