// Collects transactions whose operations arrive one at a time and interleaved, as in text of one
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

/// Holds 12 bytes an operation until hand_over().
class TxnCollector {
 public:
  struct Txn {
    std::int64_t session = 0;
    SourcePosition position = {};
    TxnStatus status = TxnStatus::kCommitted;
    bool is_whole = true;  ///< if false, it is not handed over
  };

  /// `room`: the most operations and elements of lists; HistoryRoom's except in tests.
  explicit TxnCollector(std::uint64_t room = HistoryRoom().operations) : room_(room) {}

  /// Begins a transaction; returns its number. A session's transactions begin in session order.
  std::uint32_t begin(const Txn& txn);

  [[nodiscard]] std::size_t size() const { return txns_.size(); }

  [[nodiscard]] Txn& txn(std::uint32_t number) { return txns_[number]; }

  /// Adds the next operation of a transaction, which is not a kReadList.
  void add(std::uint32_t txn, OpKind kind, KeyId key, ValueId value);
  /// Adds a read of these elements.
  void add_list(std::uint32_t txn, KeyId key, std::span<const ValueId> elements);

  /// Gives everything to `builder`: transactions in the order of their beginnings, the operations
  /// of each in the order of addition. The collector is then empty. Error: the builder's, and
  /// kMalformed if there is more than `room`.
  Status hand_over(HistoryBuilder& builder);

 private:
  std::uint64_t room_;

  struct Entry {
    Op op;  // of a list read: the value is the list's number
    std::uint32_t txn = 0;
  };

  void group();
  [[nodiscard]] MopInput mop(Op op) const;

  std::vector<Txn> txns_;
  std::deque<Entry> entries_;
  bool is_grouped_ = true;  // no operation came after one of a later transaction
  std::vector<ValueId> elements_;
  std::vector<std::uint32_t> list_begin_ = {0};  // one entry more than lists
};

}  // namespace elapid
