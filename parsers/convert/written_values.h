// Finds the operations that write a value to a key.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// All writes and appends of a history, whatever the outcome of their transactions. 16 bytes each.
class WrittenValues {
 public:
  struct Write {
    KeyId key;
    ValueId value;
    TxnId txn;
    std::uint32_t op = 0;  ///< place in History::all_ops()
  };

  /// O(n log n).
  explicit WrittenValues(const History& history);

  /// The writes of this value to this key, in order of transactions and operations. O(log n).
  [[nodiscard]] std::span<const Write> find(KeyId key, ValueId value) const;

  /// All writes, by key and value.
  [[nodiscard]] std::span<const Write> all() const { return writes_; }

 private:
  std::vector<Write> writes_;
};

}  // namespace elapid
