#include "engine/certify/operations/effects.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

Effects::Effects(const History& history)
    : history_(history),
      is_mixed_(history.key_count()),
      write_begin_{0},
      read_begin_{0},
      is_impossible_(history.txn_count()) {
  const auto txn_count = static_cast<std::uint32_t>(history.txn_count());
  for (std::uint32_t t = 0; t < txn_count; ++t) {
    for (const Op op : effective_ops(history, TxnId{t})) {
      if (op.kind() != OpKind::kOther && is_foreign(op, history.workload())) {
        is_mixed_[op.key().index()] = true;
      }
    }
  }
  for (std::uint32_t t = 0; t < txn_count; ++t) {
    if (is_participant(history, TxnId{t})) {
      add(TxnId{t});
    }
    write_begin_.push_back(static_cast<std::uint32_t>(writes_.size()));
    read_begin_.push_back(static_cast<std::uint32_t>(reads_.size()));
  }
}

bool Effects::writes(TxnId txn, KeyId key) const {
  return std::ranges::binary_search(writes(txn), key, {}, &FinalWrite::key);
}

std::span<const ValueId> Effects::list(const ExternalRead& read) const {
  if (read.op.kind() != OpKind::kReadList) {
    return {};
  }
  const std::span<const ValueId> elements = history_.elements(read.op);
  return elements.first(elements.size() - read.own);
}

ValueId Effects::seen(const ExternalRead& read) const {
  if (!history_.has_lists()) {
    return read.op.value();
  }
  const std::span<const ValueId> elements = list(read);
  return elements.empty() ? ValueId::none() : elements.back();
}

void Effects::add(TxnId txn) {
  std::vector<Op> ops;
  std::ranges::copy_if(effective_ops(history_, txn), std::back_inserter(ops),
                       [](Op op) { return op.is_read() || op.is_write(); });
  std::ranges::stable_sort(ops, {}, &Op::key);
  for (auto begin = ops.begin(); begin != ops.end();) {
    const auto end =
        std::find_if(begin, ops.end(), [&](Op op) { return op.key() != begin->key(); });
    add_key(txn, std::span(begin, end));
    begin = end;
  }
}

void Effects::add_key(TxnId txn, std::span<const Op> ops_on_key) {
  const auto last_write =
      std::find_if(ops_on_key.rbegin(), ops_on_key.rend(), [](Op op) { return op.is_write(); });
  if (last_write != ops_on_key.rend()) {
    writes_.push_back({last_write->key(), last_write->value()});
  }
  if (is_mixed_[ops_on_key.front().key().index()]) {
    return;
  }
  const bool is_possible =
      !history_.has_lists() ? add_register_read(txn, ops_on_key) : add_list_read(txn, ops_on_key);
  if (!is_possible) {
    is_impossible_[txn.index()] = true;
  }
}

/// False if the reads contradict one another or the transaction's writes.
bool Effects::add_register_read(TxnId txn, std::span<const Op> ops_on_key) {
  const Op* before = nullptr;  // the operation that tells what the next read returns
  bool has_own = false;
  for (const Op& op : ops_on_key) {
    if (!op.is_write() && !is_answered(history_, txn, op)) {
      continue;
    }
    if (before == nullptr && op.is_read()) {
      reads_.push_back({op});
    }
    has_own = has_own || op.is_write();
    if (before != nullptr && op.is_read() && op.value() != before->value()) {
      if (has_own || !history_.is_initial(op.value()) || !history_.is_initial(before->value())) {
        return false;
      }
      reads_.back().is_unwritten = true;
    }
    before = &op;
  }
  return true;
}

/// The same for lists. A list was there when the transaction started, and the transaction's own
/// appends follow it.
bool Effects::add_list_read(TxnId txn, std::span<const Op> ops_on_key) {
  std::vector<ValueId> own;
  std::size_t own_seen = 0;
  std::optional<std::span<const ValueId>> seen;  // the list and its first own_seen own elements
  for (const Op op : ops_on_key) {
    if (op.is_write()) {
      own.push_back(op.value());
    }
    if (!is_answered(history_, txn, op)) {
      continue;
    }
    const std::span<const ValueId> now =
        op.kind() == OpKind::kReadList ? history_.elements(op) : std::span<const ValueId>();
    const bool is_first = !seen;
    if (is_first && own.size() <= now.size()) {
      seen = now.first(now.size() - own.size());
    }
    const auto unseen = std::span(own).subspan(own_seen);
    if (!seen || now.size() != seen->size() + unseen.size() ||
        (now.data() != seen->data() && !std::ranges::equal(now.first(seen->size()), *seen)) ||
        !std::ranges::equal(now.subspan(seen->size()), unseen)) {
      return false;
    }
    if (is_first) {
      reads_.push_back({op, static_cast<std::uint32_t>(own.size())});
    }
    seen = now;
    own_seen = own.size();
  }
  return true;
}

}  // namespace elapid::certify
