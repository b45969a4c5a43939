// Divides the transactions of a history into chains. Along a chain, the set of visible transactions
// only grows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/saturate/observations.h"

namespace elapid {

class CausalChains {
 public:
  static constexpr std::uint32_t kNone = Seen::kNoTxn;

  /// Committed transactions by session. Each indeterminate one that took effect is a chain of its
  /// own, since transactions before it in its session need not be visible to it.
  [[nodiscard]] static CausalChains of_sessions(const Observations& seen);

  /// Chains in which each transaction read from the previous one: a greedy cover of the present
  /// transactions. `order`: the present transactions, with read-from edges leading forward.
  [[nodiscard]] static CausalChains of_reads(const Observations& seen,
                                             std::span<const std::uint32_t> order);

  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(begin_.size() - 1);
  }

  [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t chain) const {
    return std::span(members_).subspan(begin_[chain], begin_[chain + 1] - begin_[chain]);
  }

  [[nodiscard]] std::uint32_t of(std::uint32_t txn) const { return chain_[txn]; }

  [[nodiscard]] std::uint32_t place(std::uint32_t txn) const { return place_[txn]; }

 private:
  explicit CausalChains(std::uint32_t txn_count) : chain_(txn_count, kNone), place_(txn_count, 0) {}

  void begin() { begin_.push_back(static_cast<std::uint32_t>(members_.size())); }

  void add(std::uint32_t txn);

  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> chain_;
  std::vector<std::uint32_t> place_;
};

}  // namespace elapid
