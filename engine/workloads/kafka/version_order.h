// The order of each key's messages, by the offsets at which they were seen.
//
//   polls of x show [[0 a] [3 b]] and [[3 c] [7 a]]
//
//   offset  0: a    index 0
//   offset  3: b c  index 1   one of them stands for the offset: b, the first that was seen
//   offset  7: a    index 2
//
// Gaps between offsets mean nothing: transactions leave some. Offsets come from all polls, those of
// operations that failed too, since a poll shows what is committed whatever becomes of the
// operation; and from sends of operations that must have committed (fates.h).
//
// After jepsen.tests.kafka (version-orders).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/workloads/kafka/fates.h"
#include "engine/workloads/kafka/messages.h"

namespace elapid::kafka {

/// A message at an offset.
struct Slot {
  std::int64_t offset = 0;
  MessageId message;
  friend auto operator<=>(const Slot&, const Slot&) = default;
};

class VersionOrders {
 public:
  static constexpr std::int32_t kUnknown = -1;

  /// O(n log n) in the messages seen.
  VersionOrders(const Messages& messages, const Fates& fates);

  /// Each message at each of its offsets once, by offset, then by number.
  [[nodiscard]] std::span<const Slot> slots(KeyId key) const { return slots_[key.index()]; }

  /// The messages of a key that stand for its offsets, by index.
  [[nodiscard]] std::span<const MessageId> order(KeyId key) const { return orders_[key.index()]; }

  /// The index at which the message stands for an offset, the last one; kUnknown if it does for
  /// none.
  [[nodiscard]] std::int32_t index(MessageId message) const { return index_[message.index()]; }

  /// The first and the last index at whose offset the message was seen; kUnknown likewise.
  [[nodiscard]] std::int32_t first_index(MessageId message) const {
    return first_index_[message.index()];
  }

  [[nodiscard]] std::int32_t last_index(MessageId message) const {
    return last_index_[message.index()];
  }

  /// At how many offsets the message was seen.
  [[nodiscard]] std::uint32_t offset_count(MessageId message) const {
    return offset_count_[message.index()];
  }

  /// How far the second message is behind the first, 1 where the index of one is not known.
  [[nodiscard]] std::int64_t distance(MessageId from, MessageId to) const;

 private:
  void set_indices(KeyId key);

  std::vector<std::vector<Slot>> slots_;
  std::vector<std::vector<MessageId>> orders_;
  std::vector<std::int32_t> index_;
  std::vector<std::int32_t> first_index_;
  std::vector<std::int32_t> last_index_;
  std::vector<std::uint32_t> offset_count_;
};

}  // namespace elapid::kafka
