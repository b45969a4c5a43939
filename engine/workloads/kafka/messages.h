// The messages of a history of logs: which operation sent or polled them, and at which offset.
//
//   {:type :ok, :f :txn, :value [[:send 1 [10 7]] [:poll {2 [[3 5]]}]]}
//
// This sends message 7 of key 1, at offset 10, and polls message 5 of key 2, at offset 3. A message
// is a value of a key: values are unique within their key. Messages are numbered in the order in
// which they first appear.
//
// In the history such an operation is a row of micro-operations (decode.h): its function, and for
// each message an append or a read, which a write of the offset follows where it is known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/ids.h"
#include "engine/ir/int_map.h"

namespace elapid::kafka {

/// A message, numbered from 0.
using MessageId = Id<struct MessageTag>;

/// What is known of the operation, by its :f.
enum class Function : std::uint8_t {
  kSend,
  kPoll,
  kTxn,
  kAssign,
  kSubscribe,
  kOther,  ///< as :crash; it means nothing here
};

/// A message in an operation.
struct Sight {
  MessageId message;
  KeyId key;
  std::optional<std::int64_t> offset;
  bool is_send = false;
};

class Messages {
 public:
  /// Borrows the history. What operations without a completion send counts, or is left out as
  /// Jepsen does. Linear.
  Messages(const History& history, bool counts_open);

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] std::size_t count() const { return values_.size(); }

  [[nodiscard]] KeyId key(MessageId message) const { return keys_[message.index()]; }

  [[nodiscard]] ValueId value(MessageId message) const { return values_[message.index()]; }

  [[nodiscard]] Function function(TxnId txn) const { return functions_[txn.index()]; }

  /// Whether the operation is a :send, a :poll or a :txn.
  [[nodiscard]] bool is_txn(TxnId txn) const { return function(txn) <= Function::kTxn; }

  /// Calls `visit(sight)` for each message of the operation, in its order.
  template <class Visit>
  void each(TxnId txn, Visit visit) const;

  /// The keys that an :assign or :subscribe names, those of which a poll shows that there was
  /// nothing, and those that were rebalanced meanwhile.
  [[nodiscard]] std::vector<KeyId> assigned(TxnId txn) const { return marked(txn, assigned_); }

  [[nodiscard]] std::vector<KeyId> found_empty(TxnId txn) const { return marked(txn, empty_); }

  [[nodiscard]] std::vector<KeyId> rebalanced(TxnId txn) const { return marked(txn, rebalanced_); }

  /// :error of an operation of unknown outcome; nil if it has none.
  [[nodiscard]] ValueId error(TxnId txn) const;

 private:
  /// A sight as it is kept.
  struct Kept {
    std::int64_t offset = 0;
    MessageId message;
    bool is_send = false;
    bool has_offset = false;
  };

  [[nodiscard]] std::vector<KeyId> marked(TxnId txn, ValueId mark) const;
  void keep_sights(std::span<const Op> ops, IntMap& ids);

  const History& history_;
  bool counts_open_;
  std::vector<Kept> sights_;
  std::vector<std::uint32_t> first_sights_;  // by operation, and one more at the end
  std::vector<KeyId> keys_;
  std::vector<ValueId> values_;
  std::vector<Function> functions_;  // by operation
  ValueId assigned_;
  ValueId empty_;
  ValueId rebalanced_;
  ValueId error_key_;
};

template <class Visit>
void Messages::each(TxnId txn, Visit visit) const {
  if (!counts_open_ && !history_.has_completion(txn)) {
    return;
  }
  for (std::uint32_t i = first_sights_[txn.index()]; i < first_sights_[txn.index() + 1]; ++i) {
    const Kept& kept = sights_[i];
    visit(Sight{.message = kept.message,
                .key = keys_[kept.message.index()],
                .offset = kept.has_offset ? std::optional(kept.offset) : std::nullopt,
                .is_send = kept.is_send});
  }
}

}  // namespace elapid::kafka
