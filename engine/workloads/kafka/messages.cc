#include "engine/workloads/kafka/messages.h"

#include <algorithm>
#include <array>

#include "engine/workloads/kafka/marks.h"

namespace elapid::kafka {

namespace {

bool is_message(const Op& op) {
  return op.kind() == OpKind::kAppend || op.kind() == OpKind::kRead;
}

}  // namespace

Messages::Messages(const History& history, bool counts_open)
    : history_(history),
      counts_open_(counts_open),
      assigned_(history.values().find(kAssignedMark)),
      empty_(history.values().find(kEmptyMark)),
      rebalanced_(history.values().find(kRebalancedMark)),
      error_key_(history.values().find(kErrorKey)) {
  constexpr std::array kNames = {":send", ":poll", ":txn", ":assign", ":subscribe"};
  std::array<ValueId, kNames.size()> names;
  std::ranges::transform(kNames, names.begin(),
                         [&](const char* name) { return history.values().find(name); });
  sights_.reserve(static_cast<std::size_t>(std::ranges::count_if(history.all_ops(), is_message)));
  IntMap ids;
  functions_.reserve(history.txn_count());
  first_sights_.reserve(history.txn_count() + 1);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    first_sights_.push_back(static_cast<std::uint32_t>(sights_.size()));
    const std::span<const Op> ops = history.ops(txn);
    const auto name = ops.empty() ? names.end() : std::ranges::find(names, ops.front().value());
    functions_.push_back(static_cast<Function>(name - names.begin()));
    keep_sights(ops, ids);
  }
  first_sights_.push_back(static_cast<std::uint32_t>(sights_.size()));
}

/// An operation's messages, each with the offset that follows it.
void Messages::keep_sights(std::span<const Op> ops, IntMap& ids) {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (!is_message(ops[i])) {
      continue;
    }
    const auto fresh = static_cast<std::uint32_t>(values_.size());
    const std::uint64_t name = packed(ops[i].key(), ops[i].value());
    const MessageId message = {ids.find_or_add(static_cast<std::int64_t>(name), fresh)};
    if (message.value == fresh) {
      keys_.push_back(ops[i].key());
      values_.push_back(ops[i].value());
    }
    const bool is_placed = i + 1 < ops.size() && ops[i + 1].kind() == OpKind::kWrite &&
                           ops[i + 1].key() == ops[i].key();
    const auto offset = is_placed ? history_.values().as_integer(ops[i + 1].value()) : std::nullopt;
    sights_.push_back({.offset = offset.value_or(0),
                       .message = message,
                       .is_send = ops[i].kind() == OpKind::kAppend,
                       .has_offset = offset.has_value()});
  }
}

ValueId Messages::error(TxnId txn) const {
  const std::span<const Op> ops = history_.ops(txn);
  const bool is_error = !ops.empty() && ops.back().kind() == OpKind::kWrite &&
                        history_.key_value(ops.back().key()) == error_key_;
  return is_error ? ops.back().value() : ValueId::nil();
}

std::vector<KeyId> Messages::marked(TxnId txn, ValueId mark) const {
  std::vector<KeyId> keys;
  if (mark.is_none()) {
    return keys;
  }
  for (const Op op : history_.ops(txn)) {
    if (op.kind() == OpKind::kOther && op.value() == mark) {
      keys.push_back(op.key());
    }
  }
  return keys;
}

}  // namespace elapid::kafka
