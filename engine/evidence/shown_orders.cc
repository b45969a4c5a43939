#include "engine/evidence/shown_orders.h"

#include <algorithm>
#include <span>

namespace elapid {

std::optional<ListRead> ShownOrders::read_with(KeyId key, ValueId before, ValueId element) {
  return shortest(key, element, before, ValueId::none());
}

std::optional<ListRead> ShownOrders::read_without(KeyId key, ValueId element, ValueId missing) {
  return shortest(key, element, ValueId::none(), missing);
}

void ShownOrders::collect() {
  reads_.resize(history_.key_count());
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    if (history_.status(txn) == TxnStatus::kAborted) {
      continue;
    }
    const std::span<const Op> ops = history_.ops(txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].kind() == OpKind::kReadList) {
        const std::size_t length = history_.elements(ops[mop]).size();
        reads_[ops[mop].key().index()].push_back({txn, mop, static_cast<std::uint32_t>(length)});
      }
    }
  }
  for (std::vector<ListRead>& reads : reads_) {
    std::ranges::stable_sort(reads, {}, &ListRead::length);
  }
  is_collected_ = true;
}

std::optional<ListRead> ShownOrders::shortest(KeyId key, ValueId element, ValueId before,
                                              ValueId missing) {
  if (!is_collected_) {
    collect();
  }
  const auto shows = [&](std::span<const ValueId> list) {
    const auto place = std::ranges::find(list, element);
    const auto holds = [](auto begin, auto end, ValueId value) {
      return std::find(begin, end, value) != end;
    };
    return place != list.end() && (before.is_none() || holds(list.begin(), place, before)) &&
           (missing.is_none() || !holds(list.begin(), list.end(), missing));
  };
  const std::vector<ListRead>& reads = reads_[key.index()];
  const std::span<const ValueId> trunk = history_.trunk(key);
  const auto in_trunk = std::ranges::find(trunk, element);
  const auto least = static_cast<std::uint32_t>(in_trunk - trunk.begin()) + 1;
  const auto is_prefix = [&](const ListRead& read) {
    return history_.ops(read.txn)[read.mop].list().is_prefix();
  };
  // The first prefix of the trunk that is long enough serves for all longer ones.
  bool trunk_fails = in_trunk == trunk.end();
  for (const ListRead& read : reads) {
    if (is_prefix(read) && (trunk_fails || read.length < least)) {
      continue;
    }
    if (shows(history_.elements(history_.ops(read.txn)[read.mop]))) {
      return read;
    }
    trunk_fails = trunk_fails || is_prefix(read);
  }
  return std::nullopt;
}

}  // namespace elapid
