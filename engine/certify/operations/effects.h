// The visible effects of transactions on keys: the last write of each key, and the values read
// before any own write.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

struct FinalWrite {
  KeyId key;
  ValueId value = ValueId::none();
};

/// A read with a known result that shows the key's value at the start of its transaction. For
/// registers: a read before any own write. For lists: any read, without the elements that the
/// transaction appended itself.
struct ExternalRead {
  Op op;
  std::uint32_t own = 0;      ///< the number of the reader's own elements at the end of the list
  bool is_unwritten = false;  ///< the reader also saw the initial state's other name

  [[nodiscard]] KeyId key() const { return op.key(); }
};

/// For all transactions but aborted ones; 12 bytes an operation at most. Refers to the history.
class Effects {
 public:
  Effects(const History& history);

  [[nodiscard]] bool has_lists() const { return history_.has_lists(); }

  /// At most one a key, ordered by key.
  [[nodiscard]] std::span<const FinalWrite> writes(TxnId txn) const {
    return slice(writes_, write_begin_, txn);
  }

  /// At most one a key, ordered by key. None for keys that hold both lists and registers.
  [[nodiscard]] std::span<const ExternalRead> reads(TxnId txn) const {
    return slice(reads_, read_begin_, txn);
  }

  [[nodiscard]] bool writes(TxnId txn, KeyId key) const;

  /// Whether the transaction's reads of a key contradict one another or its own writes. Such a
  /// transaction cannot have taken effect at any level.
  [[nodiscard]] bool contradicts_itself(TxnId txn) const { return is_impossible_[txn.index()]; }

  /// The key's list when the reader started; lists only.
  [[nodiscard]] std::span<const ValueId> list(const ExternalRead& read) const;

  /// The last value written to the key before the reader started, if there is one; none() for an
  /// empty list.
  [[nodiscard]] ValueId seen(const ExternalRead& read) const;

 private:
  template <class Item>
  [[nodiscard]] static std::span<const Item> slice(const std::vector<Item>& items,
                                                   const std::vector<std::uint32_t>& begin,
                                                   TxnId txn) {
    return std::span(items).subspan(begin[txn.index()],
                                    begin[txn.index() + 1] - begin[txn.index()]);
  }

  void add(TxnId txn);
  void add_key(TxnId txn, std::span<const Op> ops_on_key);
  [[nodiscard]] bool add_register_read(TxnId txn, std::span<const Op> ops_on_key);
  [[nodiscard]] bool add_list_read(TxnId txn, std::span<const Op> ops_on_key);

  const History& history_;
  std::vector<bool> is_mixed_;  // by key: operations of both data models
  std::vector<std::uint32_t> write_begin_;
  std::vector<FinalWrite> writes_;
  std::vector<std::uint32_t> read_begin_;
  std::vector<ExternalRead> reads_;
  std::vector<bool> is_impossible_;  // by transaction
};

}  // namespace elapid::certify
