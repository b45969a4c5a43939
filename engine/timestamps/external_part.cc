#include "engine/timestamps/external_part.h"

#include <algorithm>

namespace elapid {

std::size_t own_appends(const History& history, TxnId txn, std::uint32_t mop) {
  const std::span<const Op> ops = history.ops(txn);
  return static_cast<std::size_t>(std::ranges::count_if(ops.first(mop), [&](Op op) {
    return op.kind() == OpKind::kAppend && op.key() == ops[mop].key();
  }));
}

std::span<const ValueId> external_part(const History& history, TxnId txn, std::uint32_t mop) {
  const Op read = history.ops(txn)[mop];
  if (read.kind() != OpKind::kReadList) {  // nil is the empty list
    return {};
  }
  const std::span<const ValueId> shown = history.elements(read);
  return shown.first(shown.size() - own_appends(history, txn, mop));
}

}  // namespace elapid
