// Transactions whose operations arrive one at a time and in any interleaving, as in text of one
// operation a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"

namespace elapid {

/// Holds 12 bytes an operation until they are handed over.
class TxnCollector {
 public:
  struct Txn {
    std::int64_t session = 0;
    SourcePosition position = {};
    TxnStatus status = TxnStatus::kCommitted;
    bool is_whole = true;  ///< others are not handed over
  };

  /// `room`: operations, and elements of lists, that can be held; HistoryRoom's, but for tests.
  explicit TxnCollector(std::uint64_t room = HistoryRoom().operations) : room_(room) {}

  /// A new transaction; its number. Transactions of a session begin in session order.
  std::uint32_t begin(const Txn& txn);

  [[nodiscard]] std::size_t size() const { return txns_.size(); }

  [[nodiscard]] Txn& txn(std::uint32_t number) { return txns_[number]; }

  /// The next operation of a transaction: not of kind kReadList.
  void add(std::uint32_t txn, OpKind kind, KeyId key, ValueId value);
  /// A read of these elements.
  void add_list(std::uint32_t txn, KeyId key, std::span<const ValueId> elements);

  /// Gives everything to `builder`, transactions in the order they began, each one's operations in
  /// the order they were added; the collector is empty then. Error: the builder's, and kMalformed
  /// if there is more than there is room for.
  Status hand_over(HistoryBuilder& builder);

 private:
  std::uint64_t room_;

  struct Entry {
    Op op;  // of a list read: the value is the number of its list
    std::uint32_t txn = 0;
  };

  void group();
  [[nodiscard]] MopInput mop(Op op) const;

  std::vector<Txn> txns_;
  std::deque<Entry> entries_;
  bool is_grouped_ = true;  // no operation came after one of a later transaction
  std::vector<ValueId> elements_;
  std::vector<std::uint32_t> list_begin_ = {0};  // one more than lists
};

}  // namespace elapid
