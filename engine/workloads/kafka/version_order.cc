#include "engine/workloads/kafka/version_order.h"

#include <algorithm>
#include <cstdint>

#include "engine/ir/nearly_sorted.h"

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
  place_messages(messages, fates);
  for (KeyId key{0}; key.index() < slots_.size(); ++key.value) {
    std::vector<Slot>& slots = slots_[key.index()];
    sort_nearly_sorted(slots);  // as messages are first seen
    slots.erase(std::ranges::unique(slots).begin(), slots.end());
    set_indices(key);
  }
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    if (fates.is_sent_again(m) && offset_count(m) > 1) {
      index_[m.index()] = kUnknown;
    }
  }
}

/// Most messages are at their own offsets in all polls: these are not looked at one by one.
void VersionOrders::place_messages(const Messages& messages, const Fates& fates) {
  for (MessageId m{0}; m.index() < messages.count(); ++m.value) {
    if (fates.is_shown(m)) {
      slots_[messages.key(m).index()].push_back({messages.own_offset(m), m});
    }
  }
  for (TxnId txn{0}; txn.index() < messages.history().txn_count(); ++txn.value) {
    const bool has_committed = fates.must_have_committed(txn);
    messages.each_run(txn, [&](const Run& run) {
      if (run.is_send ? !has_committed : run.offsets == nullptr) {
        return;
      }
      for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const MessageId message = run.messages[i];
        const std::int64_t offset = messages.offset(run, i);
        const bool is_placed = run.offsets == nullptr && fates.is_shown(message);
        if (offset != kNoOffset && !is_placed) {
          slots_[run.key.index()].push_back({offset, message});
        }
      }
    });
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

}  // namespace elapid::kafka
