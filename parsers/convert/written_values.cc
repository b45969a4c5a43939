#include "parsers/convert/written_values.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace elapid {

WrittenValues::WrittenValues(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    auto place = static_cast<std::uint32_t>(history.first_op(txn));
    for (const Op op : history.ops(txn)) {
      if (op.is_write()) {
        writes_.push_back({op.key(), op.value(), txn, place});
      }
      ++place;
    }
  }
  std::sort(writes_.begin(), writes_.end(), [](const Write& a, const Write& b) {
    return std::tie(a.key, a.value, a.op) < std::tie(b.key, b.value, b.op);
  });
}

std::span<const WrittenValues::Write> WrittenValues::find(KeyId key, ValueId value) const {
  const auto pair = [](const Write& write) { return std::pair(write.key, write.value); };
  const auto found = std::ranges::equal_range(writes_, std::pair(key, value), {}, pair);
  return {found.begin(), found.end()};
}

}  // namespace elapid
