#include "parsers/traces/txn_collector.h"

#include <numeric>
#include <string>

namespace elapid {

std::uint32_t TxnCollector::begin(const Txn& txn) {
  txns_.push_back(txn);
  return static_cast<std::uint32_t>(txns_.size() - 1);
}

void TxnCollector::add(std::uint32_t txn, OpKind kind, KeyId key, ValueId value) {
  is_grouped_ = is_grouped_ && (entries_.empty() || entries_.back().txn <= txn);
  entries_.push_back({Op(kind, key, value), txn});
}

void TxnCollector::add_list(std::uint32_t txn, KeyId key, std::span<const ValueId> elements) {
  const auto list = static_cast<std::uint32_t>(list_begin_.size() - 1);
  elements_.insert(elements_.end(), elements.begin(), elements.end());
  list_begin_.push_back(static_cast<std::uint32_t>(elements_.size()));
  add(txn, OpKind::kReadList, key, ValueId::from_bits(list));
}

/// Groups the operations by transaction, by counting.
void TxnCollector::group() {
  std::vector<std::uint32_t> next(txns_.size() + 1, 0);
  for (const Entry& entry : entries_) {
    ++next[entry.txn + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::deque<Entry> grouped(entries_.size());
  for (const Entry& entry : entries_) {
    grouped[next[entry.txn]++] = entry;
  }
  entries_.swap(grouped);
}

MopInput TxnCollector::mop(Op op) const {
  if (op.kind() != OpKind::kReadList) {
    return {.kind = op.kind(), .key = op.key(), .value = op.value()};
  }
  const std::uint32_t list = op.value().bits();
  return {.kind = op.kind(),
          .key = op.key(),
          .list_begin = list_begin_[list],
          .list_length = list_begin_[list + 1] - list_begin_[list]};
}

Status TxnCollector::hand_over(HistoryBuilder& builder) {
  if (entries_.size() > room_ || elements_.size() > room_) {
    return Error{.message = "expected no more than " + std::to_string(room_) +
                            " operations and as many elements of lists that were read, found more"};
  }
  if (!is_grouped_) {
    group();
  }
  builder.reserve(entries_.size());
  std::vector<MopInput> mops;
  for (std::uint32_t number = 0; number < txns_.size(); ++number) {
    mops.clear();
    for (; !entries_.empty() && entries_.front().txn == number; entries_.pop_front()) {
      mops.push_back(mop(entries_.front().op));
    }
    const Txn& txn = txns_[number];
    if (!txn.is_whole) {
      continue;
    }
    ELAPID_RETURN_IF_ERROR(builder.add_transaction({.session = txn.session,
                                                    .status = txn.status,
                                                    .position = txn.position,
                                                    .mops = mops,
                                                    .elements = elements_}));
  }
  *this = TxnCollector(room_);
  return {};
}

}  // namespace elapid
