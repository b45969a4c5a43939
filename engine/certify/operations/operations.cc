#include "engine/certify/operations/operations.h"

#include <ranges>

#include "engine/certify/operations/participants.h"
#include "engine/ir/share_work.h"

namespace elapid::certify {

namespace {

bool touches(Op op, KeyId key) {
  return (op.is_read() || op.is_write()) && op.key() == key;
}

}  // namespace

std::optional<Op> op_at(std::span<const Op> ops, std::int64_t mop) {
  if (mop < 0 || mop >= std::ssize(ops)) {
    return std::nullopt;
  }
  return ops[static_cast<std::size_t>(mop)];
}

std::span<const Op> event_ops(const History& history, EventRef event) {
  const std::span<const Op> ops = history.ops(event.txn);
  return event.kind == EventKind::kInvocation ? history.aborted_attempt(event.txn).value_or(ops)
                                              : ops;
}

ValueId last_seen(const History& history, Op read, bool list_append) {
  if (!list_append) {
    return read.value();
  }
  if (read.kind() != OpKind::kReadList) {
    return ValueId::none();
  }
  const std::span<const ValueId> list = history.elements(read);
  return list.empty() ? ValueId::none() : list.back();
}

bool shows(const History& history, Op read, ValueId element) {
  if (read.kind() == OpKind::kRead) {
    return read.value() == element;
  }
  return read.kind() == OpKind::kReadList &&
         std::ranges::find(history.elements(read), element) != history.elements(read).end();
}

ValueId external_read(const History& history, TxnId txn, KeyId key) {
  const std::span<const Op> ops = history.ops(txn);
  const auto first = std::ranges::find_if(ops, [key](Op op) { return touches(op, key); });
  const bool is_external =
      first != ops.end() && first->kind() == OpKind::kRead && is_answered(history, txn, *first);
  return is_external ? first->value() : ValueId::none();
}

ValueId last_write(std::span<const Op> ops, KeyId key) {
  for (const Op op : std::views::reverse(ops)) {
    if (op.is_write() && op.key() == key) {
      return op.value();
    }
  }
  return ValueId::none();
}

bool writes(std::span<const Op> ops, KeyId key, ValueId value) {
  return std::ranges::any_of(
      ops, [key, value](Op op) { return op.is_write() && op.key() == key && op.value() == value; });
}

bool is_foreign(Op op, Workload workload) {
  const OpKind kind = op.kind();
  if (workload != Workload::kListAppend) {
    return kind != OpKind::kRead && kind != OpKind::kWrite;
  }
  return kind == OpKind::kRead ? !op.value().is_nil()
                               : kind != OpKind::kReadList && kind != OpKind::kAppend;
}

bool has_foreign_operations(const History& history) {
  return !all_are(history.all_ops(),
                  [workload = history.workload()](Op op) { return !is_foreign(op, workload); });
}

std::string txn_text(const History& history, TxnId txn) {
  return "T" + std::to_string(history.representative(txn).index);
}

std::string version_text(const History& history, ValueId version) {
  return version.is_none() ? "the initial state" : history.shown_text(version);
}

}  // namespace elapid::certify
