// Finds the place of an operation in its transaction. Fast also in a transaction of hundreds of
// thousands of operations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// Indexes one transaction at a time, and only if it is large.
class OpPlaces {
 public:
  explicit OpPlaces(const History& history) : history_(history) {}

  /// The first place of a write or an append in History::ops(txn), or their number if it is
  /// missing. O(log operations), and once O(operations log operations) a transaction.
  std::size_t first_write(TxnId txn, Op write) {
    constexpr std::size_t kFew = 64;
    const std::span<const Op> ops = history_.ops(txn);
    if (ops.size() <= kFew) {
      return static_cast<std::size_t>(std::ranges::find(ops, write) - ops.begin());
    }
    if (indexed_ != txn) {
      index(txn, ops);
    }
    const auto at = std::ranges::lower_bound(writes_, name_of(write), {}, &Entry::first);
    return at != writes_.end() && at->first == name_of(write) ? at->second : ops.size();
  }

 private:
  using Entry = std::pair<std::uint64_t, std::uint32_t>;

  static std::uint64_t name_of(Op op) { return packed(op.key(), op.value()); }

  void index(TxnId txn, std::span<const Op> ops) {
    writes_.clear();
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (ops[i].is_write()) {
        writes_.emplace_back(name_of(ops[i]), i);
      }
    }
    std::ranges::sort(writes_);
    indexed_ = txn;
  }

  const History& history_;
  TxnId indexed_;
  std::vector<Entry> writes_;
};

}  // namespace elapid
