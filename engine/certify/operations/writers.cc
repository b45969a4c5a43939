#include "engine/certify/operations/writers.h"

#include <algorithm>
#include <utility>

namespace elapid::certify {

namespace {

void add_writes(std::span<const Op> ops, TxnId txn, std::vector<Write>& writes) {
  for (const Op op : ops) {
    if (op.is_write()) {
      writes.push_back({op.key(), op.value(), txn});
    }
  }
}

}  // namespace

Writers::Writers(const History& history) : history_(history) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const TxnId txn{t};
    add_writes(history.ops(txn), txn, writes_);
    if (const auto invoked = history.aborted_attempt(txn)) {
      add_writes(*invoked, txn, writes_);
    }
  }
  std::ranges::sort(writes_);
  const auto repeated = std::ranges::unique(writes_);
  writes_.erase(repeated.begin(), repeated.end());
}

std::span<const Write> Writers::of(KeyId key, ValueId value) const {
  return std::ranges::equal_range(writes_, std::pair(key, value), {}, [](const Write& write) {
    return std::pair(write.key, write.value);
  });
}

bool Writers::wrote(TxnId txn, KeyId key, ValueId value) const {
  return std::ranges::binary_search(writes_, Write{key, value, txn});
}

bool Writers::another(TxnId txn, KeyId key, ValueId value) const {
  return std::ranges::any_of(of(key, value), [this, txn](const Write& write) {
    return write.txn != txn && history_.status(write.txn) != TxnStatus::kAborted;
  });
}

}  // namespace elapid::certify
