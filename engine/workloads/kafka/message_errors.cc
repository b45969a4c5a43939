#include "engine/workloads/kafka/message_errors.h"

#include <algorithm>

namespace elapid::kafka {

namespace {

constexpr std::int32_t kNoIndex = VersionOrders::kUnknown;

}  // namespace

void find_placement_errors(const Messages& messages, const VersionOrders& orders,
                           LogErrors& errors) {
  std::vector<bool> is_told(messages.count());
  for (KeyId key{0}; key.index() < messages.history().key_count(); ++key.value) {
    const std::span<const Slot> slots = orders.slots(key);
    std::int32_t index = kNoIndex;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const bool is_same_offset = i > 0 && slots[i].offset == slots[i - 1].offset;
      index += is_same_offset ? 0 : 1;
      if (is_same_offset && (i == 1 || slots[i - 2].offset != slots[i].offset)) {
        add_error(errors, {.type = ErrorType::kInconsistentOffsets,
                           .key = key,
                           .message = slots[i - 1].message,
                           .next = slots[i].message,
                           .offset = slots[i].offset,
                           .index = index});
      }
      const MessageId message = slots[i].message;
      if (orders.offset_count(message) > 1 && !is_told[message.index()]) {
        is_told[message.index()] = true;
        add_error(errors, {.type = ErrorType::kDuplicate, .key = key, .message = message});
      }
    }
  }
}

void find_read_errors(const Messages& messages, const Fates& fates, LogErrors& errors) {
  const History& history = messages.history();
  std::vector<TxnId> sent_in(messages.count());
  std::vector<bool> is_told(messages.count());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    messages.each(txn, [&](const Sight& sight) {
      if (sight.is_send) {
        sent_in[sight.message.index()] = txn;
      }
    });
    bool is_precommitted = false;
    messages.each(txn, [&](const Sight& sight) {
      const std::size_t m = sight.message.index();
      LogError error = {.key = sight.key,
                        .message = sight.message,
                        .txn = txn,
                        .other = fates.writer(sight.message)};
      if (sight.is_send) {
        return;
      }
      if (history.committed(txn) && fates.is_refused(sight.message)) {
        error.type = ErrorType::kG1a;
        add_error(errors, error);
      }
      if (sent_in[m] == txn && !is_precommitted) {
        is_precommitted = true;
        error.type = ErrorType::kPrecommittedRead;
        add_error(errors, error);
      }
      if (error.other.is_none() && !is_told[m]) {
        is_told[m] = true;
        error.type = ErrorType::kNeverSent;
        add_error(errors, error);
      }
    });
  }
}

void find_lost_writes(const Messages& messages, const Fates& fates, const VersionOrders& orders,
                      LogErrors& errors) {
  const std::size_t key_count = messages.history().key_count();
  std::vector<std::int32_t> bounds(key_count, kNoIndex);
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    if (fates.is_polled(m)) {
      std::int32_t& bound = bounds[messages.key(m).index()];
      bound = std::max(bound, orders.first_index(m));
    }
  }
  std::vector<TxnId> max_reads(key_count);  // by key, a read of what stands last at the bound
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    const std::size_t key = messages.key(m).index();
    const bool is_at_bound = bounds[key] != kNoIndex && orders.last_index(m) == bounds[key];
    if (is_at_bound && max_reads[key].is_none()) {
      max_reads[key] = fates.first_reader(m);
    }
  }
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    const KeyId key = messages.key(m);
    const std::int32_t bound = bounds[key.index()];
    const TxnId writer = fates.writer(m);
    const bool must_be_read =
        orders.last_index(m) != kNoIndex && orders.last_index(m) <= bound && !fates.is_polled(m);
    if (must_be_read && !writer.is_none() && fates.must_have_committed(writer)) {
      add_error(errors, {.type = ErrorType::kLostWrite,
                         .key = key,
                         .message = m,
                         .txn = max_reads[key.index()],
                         .other = writer,
                         .index = orders.first_index(m),
                         .max_read_index = bound});
    }
  }
}

}  // namespace elapid::kafka
