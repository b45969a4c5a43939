// The level of each transaction of a history.
//
// Databases let clients choose a level for each transaction. Adya calls a history of transactions
// at PL-1, PL-2 and PL-3 mixing-correct if each of them gets the guarantees of its own level
// (thesis 1999, "Mixing of Isolation Levels"); asked_levels.h defines mixes of other levels. Most
// histories have one level for all transactions: then there is no table, and a look-up costs one
// test.
//
// ```cpp
// const OrderLevel serializable = {Visibility::kSerial};
// const OrderLevel read_committed = {Visibility::kNothing};
// const TxnLevels one = serializable;
// CHECK(one.common() == serializable);
// const TxnLevels two(std::vector{serializable, read_committed});
// CHECK(two.of({1}) == read_committed);
// CHECK(two.common() == std::nullopt);
// ```
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/levels/models.h"

namespace elapid {

class TxnLevels {
 public:
  /// One level for all transactions.
  TxnLevels(OrderLevel level) : common_(level) {}

  /// The level of each transaction; not empty. `dirty`: reads_anything(); empty if always false.
  explicit TxnLevels(std::vector<OrderLevel> by_txn, std::vector<bool> dirty = {})
      : common_(by_txn.front()), by_txn_(std::move(by_txn)), dirty_(std::move(dirty)) {
    if (dirty_.empty() &&
        std::ranges::adjacent_find(by_txn_, std::not_equal_to<>()) == by_txn_.end()) {
      by_txn_.clear();
    }
  }

  [[nodiscard]] OrderLevel of(TxnId txn) const {
    return by_txn_.empty() ? common_ : by_txn_[txn.index()];
  }

  /// Whether the level demands nothing of the transaction's reads, so that they do not count: PL-1.
  /// Its demands on writes are those of PL-2.
  [[nodiscard]] bool reads_anything(TxnId txn) const {
    return !dirty_.empty() && dirty_[txn.index()];
  }

  /// The level that all transactions have; nothing if they differ.
  [[nodiscard]] std::optional<OrderLevel> common() const {
    return by_txn_.empty() ? std::optional(common_) : std::nullopt;
  }

  /// Whether some transaction's level satisfies `is_such(level)`.
  template <class Predicate>
  [[nodiscard]] bool any(Predicate is_such) const {
    return by_txn_.empty() ? is_such(common_) : std::ranges::any_of(by_txn_, is_such);
  }

 private:
  OrderLevel common_;
  std::vector<OrderLevel> by_txn_;  // empty: one for all
  std::vector<bool> dirty_;         // by transaction; empty: none
};

}  // namespace elapid
