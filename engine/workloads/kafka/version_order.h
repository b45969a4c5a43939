// The order of each key's messages, by the offsets at which they appear.
//
//   polls of x show [[0 a] [3 b]] and [[3 c] [7 a]]
//
//   offset  0: a    index 0
//   offset  3: b c  index 1   one message represents the offset: b, which appeared first
//   offset  7: a    index 2
//
// Gaps between offsets have no meaning: transactions leave some. Offsets come from all polls, also
// of failed operations, since a poll shows committed messages whatever its operation's outcome; and
// from sends of operations that must have committed (fates.h).
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

  /// O(n log n) in the messages.
  VersionOrders(const Messages& messages, const Fates& fates);

  /// Each message once at each of its offsets, sorted by offset, then by number.
  [[nodiscard]] std::span<const Slot> slots(KeyId key) const { return slots_[key.index()]; }

  /// The messages of a key that represent its offsets, by index.
  [[nodiscard]] std::span<const MessageId> order(KeyId key) const { return orders_[key.index()]; }

  /// The last index at which the message represents an offset; kUnknown if it represents
  /// none, or if several operations sent it and it has several offsets.
  [[nodiscard]] std::int32_t index(MessageId message) const { return index_[message.index()]; }

  /// The first and the last index with an offset of the message; kUnknown if there is none.
  [[nodiscard]] std::int32_t first_index(MessageId message) const {
    return first_index_[message.index()];
  }

  [[nodiscard]] std::int32_t last_index(MessageId message) const {
    return last_index_[message.index()];
  }

  /// The number of different offsets of the message.
  [[nodiscard]] std::uint32_t offset_count(MessageId message) const {
    return offset_count_[message.index()];
  }

  /// The index of `to` minus the index of `from`; 1 if one of them is unknown.
  [[nodiscard]] std::int64_t distance(MessageId from, MessageId to) const {
    const bool is_known =
        !from.is_none() && !to.is_none() && index(from) != kUnknown && index(to) != kUnknown;
    return is_known ? std::int64_t{index(to)} - index(from) : 1;
  }

 private:
  void place_messages(const Messages& messages, const Fates& fates);
  void set_indices(KeyId key);

  std::vector<std::vector<Slot>> slots_;
  std::vector<std::vector<MessageId>> orders_;
  std::vector<std::int32_t> index_;
  std::vector<std::int32_t> first_index_;
  std::vector<std::int32_t> last_index_;
  std::vector<std::uint32_t> offset_count_;
};

}  // namespace elapid::kafka
