// All writes of all events, found by key and value.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::certify {

struct Write {
  KeyId key;
  ValueId value = ValueId::none();
  TxnId txn;
  friend auto operator<=>(const Write&, const Write&) = default;
};

/// A sorted array, 12 bytes a write; O(writes log writes) to make, O(log writes) for a look-up.
class Writers {
 public:
  explicit Writers(const History& history);

  [[nodiscard]] std::span<const Write> all() const { return writes_; }

  /// The writes of `value` to `key`, one a transaction, ordered by transaction.
  [[nodiscard]] std::span<const Write> of(KeyId key, ValueId value) const;

  /// Whether an event of `txn` wrote `value` to `key`.
  [[nodiscard]] bool wrote(TxnId txn, KeyId key, ValueId value) const;

  /// Whether a transaction other than `txn` may have installed this version too. Then a read of it
  /// does not tell which transaction it read from.
  [[nodiscard]] bool another(TxnId txn, KeyId key, ValueId value) const;

 private:
  const History& history_;
  std::vector<Write> writes_;
};

}  // namespace elapid::certify
