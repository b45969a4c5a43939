#include "engine/workloads/kafka/version_order.h"

#include <algorithm>
#include <cstdint>

namespace elapid::kafka {

VersionOrders::VersionOrders(const Messages& messages, const Fates& fates)
    : slots_(messages.history().key_count()),
      orders_(messages.history().key_count()),
      index_(messages.count(), kUnknown),
      first_index_(messages.count(), kUnknown),
      last_index_(messages.count(), kUnknown),
      offset_count_(messages.count(), 0) {
  const std::vector<std::size_t> counts = messages.counts();
  for (std::size_t key = 0; key < counts.size(); ++key) {
    slots_[key].reserve(counts[key]);
  }
  std::vector<bool> has_own(messages.count());  // whether its own offset is among the slots
  for (TxnId txn{0}; txn.index() < messages.history().txn_count(); ++txn.value) {
    const bool has_committed = fates.must_have_committed(txn);
    messages.each_run(txn, [&](const Run& run) {
      for (std::size_t i = 0; i < run.messages.size() && (has_committed || !run.is_send); ++i) {
        const MessageId message = run.messages[i];
        const std::int64_t offset = messages.offset(run, i);
        if (offset != kNoOffset && (run.offsets != nullptr || !has_own[message.index()])) {
          slots_[run.key.index()].push_back({offset, message});
          has_own[message.index()] = run.offsets == nullptr || has_own[message.index()];
        }
      }
    });
  }
  for (KeyId key{0}; key.index() < slots_.size(); ++key.value) {
    std::vector<Slot>& slots = slots_[key.index()];
    if (!std::ranges::is_sorted(slots)) {
      std::ranges::sort(slots);
    }
    slots.erase(std::ranges::unique(slots).begin(), slots.end());
    set_indices(key);
  }
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    if (fates.is_sent_again(m) && offset_count(m) > 1) {
      index_[m.index()] = kUnknown;
    }
  }
}

void VersionOrders::set_indices(KeyId key) {
  std::vector<MessageId>& order = orders_[key.index()];
  const std::vector<Slot>& slots = slots_[key.index()];
  order.reserve(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const MessageId message = slots[i].message;
    if (i == 0 || slots[i].offset != slots[i - 1].offset) {
      index_[message.index()] = static_cast<std::int32_t>(order.size());
      order.push_back(message);
    }
    const auto at = static_cast<std::int32_t>(order.size()) - 1;
    std::int32_t& first = first_index_[message.index()];
    first = first == kUnknown ? at : first;
    last_index_[message.index()] = at;
    ++offset_count_[message.index()];
  }
}

std::int64_t VersionOrders::distance(MessageId from, MessageId to) const {
  const bool is_known =
      !from.is_none() && !to.is_none() && index(from) != kUnknown && index(to) != kUnknown;
  return is_known ? std::int64_t{index(to)} - index(from) : 1;
}

}  // namespace elapid::kafka
