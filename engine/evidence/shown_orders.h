// The basis of an order of versions: the read that shows the order of two elements of a list, or
// the operations on a register that an assumption orders.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/evidence/version_reasons.h"
#include "engine/ir/history.h"

namespace elapid {

/// A read of a list, by its transaction and its place among the transaction's operations.
struct ListRead {
  TxnId txn = {};
  std::uint32_t mop = 0;
  std::uint32_t length = 0;
};

/// The list reads of all transactions but aborted ones, by key, shortest first. Made at the first
/// question, in one pass over all operations.
class ShownOrders {
 public:
  ShownOrders(const History& history, const Assumptions& assumptions)
      : history_(history), versions_(history, assumptions) {}

  /// The shortest read of `key` that shows `element`, and `before` in front of it unless `before`
  /// is none(). Among equal ones the first in the history. Linear in the reads of the key; searches
  /// a list only if it is no prefix of its key's longest list.
  [[nodiscard]] std::optional<ListRead> read_with(KeyId key, ValueId before, ValueId element);

  /// The shortest read that shows `element`, and not `missing`.
  [[nodiscard]] std::optional<ListRead> read_without(KeyId key, ValueId element, ValueId missing);

  /// The reasons for the order of register versions that assumptions give.
  [[nodiscard]] VersionReasons& versions() { return versions_; }

 private:
  void collect();
  [[nodiscard]] std::optional<ListRead> shortest(KeyId key, ValueId element, ValueId before,
                                                 ValueId missing);

  const History& history_;
  VersionReasons versions_;
  bool is_collected_ = false;
  std::vector<std::vector<ListRead>> reads_ = {};  // by key
};

}  // namespace elapid
