// The messages of a history of logs: the operations that sent or polled them, and their offsets.
//
//   {:type :ok, :f :txn, :value [[:send 1 [10 7]] [:poll {2 [[3 5]]}]]}
//
// This sends message 7 of key 1, at offset 10, and polls message 5 of key 2, at offset 3. A message
// is a value of a key: values are unique within their key. Messages are numbered by first
// appearance.
//
// In the history, such an operation is a row of micro-operations (decode.h): its function; then for
// each message an append or a read, followed by a write of the offset if the offset is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history.h"
#include "engine/ir/ids.h"

namespace elapid::kafka {

/// A message, numbered from 0.
using MessageId = Id<struct MessageTag>;

/// The kind of the operation, by its :f.
enum class Function : std::uint8_t {
  kSend,
  kPoll,
  kTxn,
  kAssign,
  kSubscribe,
  kOther,  ///< as :crash; it has no meaning here
};

/// Successive messages of one key that an operation sent or polled. A poll often has several.
struct Run {
  KeyId key;
  bool is_send = false;
  std::span<const MessageId> messages;
  const std::int64_t* offsets = nullptr;  ///< null: each message at its own offset (offset())
};

/// The offset of a message with no known offset. Real offsets are not negative.
inline constexpr std::int64_t kNoOffset = -1;

class MessageIds;

class Messages {
 public:
  /// Borrows the history. `counts_open`: include the sends of operations without a completion;
  /// Jepsen leaves them out. Linear.
  Messages(const History& history, bool counts_open);

  [[nodiscard]] const History& history() const { return history_; }

  /// The number of messages of each key.
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

  /// The first known offset of the message, or kNoOffset.
  [[nodiscard]] std::int64_t own_offset(MessageId message) const {
    return own_offsets_[message.index()];
  }

  /// The offset of one of the run's messages, or kNoOffset.
  [[nodiscard]] std::int64_t offset(const Run& run, std::size_t i) const {
    return run.offsets == nullptr ? own_offset(run.messages[i]) : run.offsets[i];
  }

  /// The greatest offset of the run's messages, or kNoOffset.
  [[nodiscard]] std::int64_t greatest_offset(const Run& run) const {
    std::int64_t greatest = kNoOffset;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
      greatest = std::max(greatest, offset(run, i));
    }
    return greatest;
  }

  /// The keys that an :assign or :subscribe names, those with an empty poll, and those that were
  /// rebalanced in the meantime.
  [[nodiscard]] std::vector<KeyId> assigned(TxnId txn) const { return marked(txn, assigned_); }

  [[nodiscard]] std::vector<KeyId> found_empty(TxnId txn) const { return marked(txn, empty_); }

  [[nodiscard]] std::vector<KeyId> rebalanced(TxnId txn) const { return marked(txn, rebalanced_); }

  /// The :error of an operation of unknown outcome; nil if it has none.
  [[nodiscard]] ValueId error(TxnId txn) const;

 private:
  static constexpr std::uint32_t kOwnOffsets = 0xffffffffU;
  static constexpr std::uint32_t kKeyBits = 0x7fffffffU;

  /// The stored form of a run. Its messages end at the first of the next run.
  struct Kept {
    std::uint32_t is_send : 1 = 0;
    std::uint32_t key : 31 = 0;
    std::uint32_t first_sight = 0;
    std::uint32_t first_offset = kOwnOffsets;
  };

  [[nodiscard]] std::vector<KeyId> marked(TxnId txn, ValueId mark) const;
  [[nodiscard]] std::size_t keep_run(std::span<const Op> ops, MessageIds& ids);
  [[nodiscard]] MessageId number(KeyId key, ValueId value, std::int64_t offset, MessageIds& ids);
  [[nodiscard]] std::int64_t offset_in(Op op) const;

  const History& history_;
  bool counts_open_;
  GrowingVector<MessageId> sights_;
  GrowingVector<Kept> runs_;               // with an end entry
  std::vector<std::uint32_t> first_runs_;  // by operation, with an end entry
  std::vector<std::int64_t> offsets_;      // of runs with offsets other than their messages' own
  std::vector<std::int64_t> own_offsets_;  // by message: the offset of its first appearance
  std::vector<KeyId> keys_;
  std::vector<ValueId> values_;
  std::vector<Function> functions_;  // by operation
  ValueId assigned_;
  ValueId empty_;
  ValueId rebalanced_;
  ValueId error_;
};

template <class Visit>
void Messages::each_run(TxnId txn, Visit visit) const {
  if (!counts_open_ && !history_.has_completion(txn)) {
    return;
  }
  // Locals, since what a visitor writes might be a member for all that the compiler knows.
  const std::span<const MessageId> sights = sights_;
  const std::int64_t* const offsets = offsets_.data();
  const Kept* const end = &runs_[first_runs_[txn.index() + 1]];
  for (const Kept* run = &runs_[first_runs_[txn.index()]]; run != end; ++run) {
    const std::uint32_t first = run->first_sight;
    visit(Run{.key = KeyId{run->key},
              .is_send = run->is_send != 0,
              .messages = sights.subspan(first, run[1].first_sight - first),
              .offsets = run->first_offset == kOwnOffsets ? nullptr : offsets + run->first_offset});
  }
}

}  // namespace elapid::kafka
