#include "engine/workloads/kafka/messages.h"

#include <algorithm>
#include <array>

#include "engine/ir/int_map.h"
#include "engine/workloads/kafka/marks.h"

namespace elapid::kafka {

Messages::Messages(const History& history, bool counts_open)
    : history_(history),
      counts_open_(counts_open),
      message_at_(history.all_ops().size()),
      assigned_(history.values().find(kAssignedMark)),
      empty_(history.values().find(kEmptyMark)),
      rebalanced_(history.values().find(kRebalancedMark)),
      error_key_(history.values().find(kErrorKey)) {
  for (const std::string_view name : {":send", ":poll", ":txn", ":assign", ":subscribe"}) {
    functions_.push_back(history.values().find(name));
  }
  IntMap ids;
  const std::span<const Op> ops = history.all_ops();
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].kind() != OpKind::kAppend && ops[i].kind() != OpKind::kRead) {
      continue;
    }
    const auto fresh = static_cast<std::uint32_t>(values_.size());
    const std::uint64_t name = packed(ops[i].key(), ops[i].value());
    message_at_[i] = {ids.find_or_add(static_cast<std::int64_t>(name), fresh)};
    if (message_at_[i].value == fresh) {
      keys_.push_back(ops[i].key());
      values_.push_back(ops[i].value());
    }
  }
}

Function Messages::function(TxnId txn) const {
  const std::span<const Op> ops = history_.ops(txn);
  if (ops.empty()) {
    return Function::kOther;
  }
  const auto found = std::ranges::find(functions_, ops.front().value());
  return static_cast<Function>(found - functions_.begin());
}

ValueId Messages::error(TxnId txn) const {
  const std::span<const Op> ops = history_.ops(txn);
  const bool is_error = !ops.empty() && ops.back().kind() == OpKind::kWrite &&
                        history_.key_value(ops.back().key()) == error_key_;
  return is_error ? ops.back().value() : ValueId::nil();
}

std::vector<KeyId> Messages::marked(TxnId txn, ValueId mark) const {
  std::vector<KeyId> keys;
  for (const Op op : history_.ops(txn)) {
    if (op.kind() == OpKind::kOther && op.value() == mark && !mark.is_none()) {
      keys.push_back(op.key());
    }
  }
  return keys;
}

std::optional<std::int64_t> Messages::offset_after(std::span<const Op> ops,
                                                   std::size_t place) const {
  const std::size_t next = place + 1;
  const bool has_offset = next < ops.size() && ops[next].kind() == OpKind::kWrite &&
                          ops[next].key() == ops[place].key();
  return has_offset ? history_.values().as_integer(ops[next].value()) : std::nullopt;
}

}  // namespace elapid::kafka
