// Which read shows the order of two elements of a list: what an order of appends rests on.
#ifndef ELAPID_ENGINE_EVIDENCE_SHOWN_ORDERS_H_
#define ELAPID_ENGINE_EVIDENCE_SHOWN_ORDERS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// A read of a list, by its transaction and its place among that one's operations.
struct ListRead {
  TxnId txn = {};
  std::uint32_t mop = 0;
  std::uint32_t length = 0;
};

/// The reads of lists of transactions that were not aborted, by key, shortest first. Made when the
/// first question comes, in one pass over all operations.
class ShownOrders {
 public:
  explicit ShownOrders(const History& history) : history_(history) {}

  /// The shortest read of `key` that shows `element`, and `before` in front of it unless that is
  /// none(); of several the first in the history. Linear in the reads of the key; lists are looked
  /// into only where they are no prefix of their key's longest.
  [[nodiscard]] std::optional<ListRead> read_with(KeyId key, ValueId before, ValueId element);

  /// The shortest read that shows `element`, and not `missing`.
  [[nodiscard]] std::optional<ListRead> read_without(KeyId key, ValueId element, ValueId missing);

  /// Whether somebody wrote the initial value to this register, so that reads of it do not tell
  /// that they saw the initial state.
  [[nodiscard]] bool initial_is_written(KeyId key);

 private:
  void collect();
  [[nodiscard]] std::optional<ListRead> shortest(KeyId key, ValueId element, ValueId before,
                                                 ValueId missing);

  const History& history_;
  bool is_collected_ = false;
  std::vector<std::vector<ListRead>> reads_ = {};     // by key
  std::optional<std::vector<bool>> initial_written_;  // likewise
};

}  // namespace elapid

#endif  // ELAPID_ENGINE_EVIDENCE_SHOWN_ORDERS_H_
