#include "engine/elle/writes.h"

namespace elapid::elle {

Writes::Writes(const History& history, OpKind write) : kind_(write), latest_(history.key_count()) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const TxnId txn{t};
    const bool is_answered = history.has_completion(txn);
    const bool differs = !is_answered || history.differing_invocation(txn);
    if (history.has_invocation(txn) && differs) {
      add_event(history, {txn, EventKind::kInvocation}, invoked_ops(history, txn), true);
    }
    if (is_answered) {
      const bool stands_for_both = history.has_invocation(txn) && !differs;
      add_event(history, {txn, EventKind::kCompletion}, history.ops(txn), stands_for_both);
    }
  }
}

/// An invocation that does not differ is no event of its own: its completion writes the same later.
void Writes::add_event(const History& history, EventRef event, std::span<const Op> ops,
                       bool is_invoked) {
  const bool is_completion = event.kind == EventKind::kCompletion;
  const EventId id =
      is_completion ? history.completion_id(event.txn) : history.invocation_id(event.txn);
  for (const Op op : ops) {
    if (op.kind() != kind_) {
      continue;
    }
    Latest& latest = latest_[op.key().index()];
    // Elle takes nil and false for no write at all.
    if (latest.event == id && history.values().truthy(latest.value)) {
      Write& before = add(op.key(), latest.value);
      if (before.overwritten_at.is_none() || before.overwritten_at <= id) {
        before.overwritten_at = id;
        before.overwriter = event;
      }
    }
    latest = {id, op.value()};
    Write& write = add(op.key(), op.value());
    if (is_completion) {
      note_completion(write, event.txn, history.status(event.txn));
    }
    if (is_invoked && write.invocations < 2) {
      ++write.invocations;
    }
  }
}

/// Transactions come in the order of their completions.
void Writes::note_completion(Write& write, TxnId txn, TxnStatus status) {
  write.completed = txn;
  (status == TxnStatus::kAborted ? write.failed : write.possible) = txn;
}

std::uint32_t Writes::place(KeyId key, ValueId value) const {
  return index_.find(hash_of(key, value), [&](std::uint32_t i) {
    return writes_[i].key == key && writes_[i].value == value;
  });
}

Write& Writes::add(KeyId key, ValueId value) {
  const auto fresh = static_cast<std::uint32_t>(writes_.size());
  const std::uint32_t at = index_.find_or_add(hash_of(key, value), fresh, [&](std::uint32_t i) {
    return writes_[i].key == key && writes_[i].value == value;
  });
  if (at == fresh) {
    Write& write = writes_.emplace_back();
    write.key = key;
    write.value = value;
  }
  return writes_[at];
}

std::span<const Op> invoked_ops(const History& history, TxnId txn) {
  return history.differing_invocation(txn).value_or(history.ops(txn));
}

std::optional<EventRef> intermediate_writer(const Write& write, TxnId reader) {
  if (write.overwritten_at.is_none() ||
      write.overwriter == EventRef{reader, EventKind::kCompletion}) {
    return std::nullopt;
  }
  return write.overwriter;
}

}  // namespace elapid::elle
