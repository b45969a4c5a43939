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
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/ids.h"

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

/// Successive messages of one key that an operation sent, or polled: a poll mostly shows several.
struct Run {
  KeyId key;
  bool is_send = false;
  std::span<const MessageId> messages;
  const std::int64_t* offsets = nullptr;  ///< null: each message at its own offset (offset())
  std::int64_t greatest_offset = 0;       ///< kNoOffset if none is known
};

/// In place of an offset that is not known: none is below 0.
inline constexpr std::int64_t kNoOffset = -1;

class MessageIds;

class Messages {
 public:
  /// Borrows the history. What operations without a completion send counts, or is left out as
  /// Jepsen does. Linear.
  Messages(const History& history, bool counts_open);

  [[nodiscard]] const History& history() const { return history_; }

  /// By key.
  [[nodiscard]] std::vector<std::size_t> counts() const;

  [[nodiscard]] std::size_t count() const { return values_.size(); }

  [[nodiscard]] KeyId key(MessageId message) const { return keys_[message.index()]; }

  [[nodiscard]] ValueId value(MessageId message) const { return values_[message.index()]; }

  [[nodiscard]] Function function(TxnId txn) const { return functions_[txn.index()]; }

  /// Whether the operation is a :send, a :poll or a :txn.
  [[nodiscard]] bool is_txn(TxnId txn) const { return function(txn) <= Function::kTxn; }

  /// Calls `visit(run)` for the messages of the operation, in its order.
  template <class Visit>
  void each_run(TxnId txn, Visit visit) const;

  /// The offset of one of the run's messages, or kNoOffset.
  [[nodiscard]] std::int64_t offset(const Run& run, std::size_t i) const {
    return run.offsets == nullptr ? own_offsets_[run.messages[i].index()] : run.offsets[i];
  }

  /// The keys that an :assign or :subscribe names, those of which a poll shows that there was
  /// nothing, and those that were rebalanced meanwhile.
  [[nodiscard]] std::vector<KeyId> assigned(TxnId txn) const { return marked(txn, assigned_); }

  [[nodiscard]] std::vector<KeyId> found_empty(TxnId txn) const { return marked(txn, empty_); }

  [[nodiscard]] std::vector<KeyId> rebalanced(TxnId txn) const { return marked(txn, rebalanced_); }

  /// :error of an operation of unknown outcome; nil if it has none.
  [[nodiscard]] ValueId error(TxnId txn) const;

 private:
  static constexpr std::uint32_t kOwnOffsets = 0xffffffffU;

  /// A run as it is kept. Its messages end where those of the next one begin.
  struct Kept {
    KeyId key;
    std::uint32_t first_sight = 0;
    std::uint32_t first_offset = kOwnOffsets;
    bool is_send = false;
    std::int64_t greatest_offset = kNoOffset;
  };

  [[nodiscard]] std::vector<KeyId> marked(TxnId txn, ValueId mark) const;
  void reserve();
  [[nodiscard]] std::size_t keep_run(std::span<const Op> ops, MessageIds& ids);

  const History& history_;
  bool counts_open_;
  std::vector<MessageId> sights_;
  std::vector<Kept> runs_;                 // and one more at the end
  std::vector<std::uint32_t> first_runs_;  // by operation, and one more at the end
  std::vector<std::int64_t> offsets_;      // of runs with others than their messages' own
  std::vector<std::int64_t> own_offsets_;  // by message: where it was seen first
  std::vector<KeyId> keys_;
  std::vector<ValueId> values_;
  std::vector<Function> functions_;  // by operation
  ValueId assigned_;
  ValueId empty_;
  ValueId rebalanced_;
  ValueId error_key_;
};

template <class Visit>
void Messages::each_run(TxnId txn, Visit visit) const {
  if (!counts_open_ && !history_.has_completion(txn)) {
    return;
  }
  for (std::uint32_t i = first_runs_[txn.index()]; i < first_runs_[txn.index() + 1]; ++i) {
    const Kept& kept = runs_[i];
    visit(Run{.key = kept.key,
              .is_send = kept.is_send,
              .messages = std::span(sights_).subspan(kept.first_sight,
                                                     runs_[i + 1].first_sight - kept.first_sight),
              .offsets = kept.first_offset == kOwnOffsets ? nullptr : &offsets_[kept.first_offset],
              .greatest_offset = kept.greatest_offset});
  }
}

}  // namespace elapid::kafka
