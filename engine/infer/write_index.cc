#include "engine/infer/write_index.h"

#include <utility>

#include "engine/ir/share_work.h"

namespace elapid {

/// Tells which writes of a transaction are followed by another write of the same key. Knows one key
/// in `parts`, beginning with the key number `first`.
class WriteIndex::LaterWrites {
 public:
  LaterWrites(const History& history, OpKind write, std::uint32_t first, std::uint32_t parts)
      : write_(write), first_(first), parts_(parts), followed_in_(history.key_count(), 0) {}

  /// Whether the operation is a write of a known key.
  [[nodiscard]] bool has(Op op) const {
    return op.kind() == write_ && (parts_ == 1 || op.key().value % parts_ == first_);
  }

  /// By operation; valid until the next call. Linear.
  const std::vector<bool>& of(std::span<const Op> ops) {
    ++round_;
    is_followed_.assign(ops.size(), false);
    for (std::size_t i = ops.size(); i-- > 0;) {
      if (has(ops[i])) {
        is_followed_[i] = std::exchange(followed_in_[ops[i].key().index()], round_) == round_;
      }
    }
    return is_followed_;
  }

 private:
  OpKind write_;
  std::uint32_t first_;
  std::uint32_t parts_;
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> followed_in_;  // by key: the last round
  std::vector<bool> is_followed_;
};

WriteIndex::WriteIndex(const History& history, OpKind write) {
  count(history, write);
  const auto parts = static_cast<std::uint32_t>(parts_of_work(slots_.size()));
  share_work(parts, [&](std::size_t part) {
    fill(history, {history, write, static_cast<std::uint32_t>(part), parts});
  });
}

void WriteIndex::fill(const History& history, LaterWrites later) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const TxnId txn{t};
    add_ops(history, later, txn, history.ops(txn), false);
    if (const auto invoked = history.aborted_attempt(txn)) {
      add_ops(history, later, txn, *invoked, true);
    }
  }
}

/// Lays out the tables: at most two thirds full.
void WriteIndex::count(const History& history, OpKind write) {
  std::vector<std::size_t> writes(history.key_count(), 0);
  const auto count_ops = [&](std::span<const Op> ops) {
    for (const Op op : ops) {
      writes[op.key().index()] += op.kind() == write ? 1U : 0U;
    }
  };
  count_ops(history.all_ops());
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (const auto invoked = history.aborted_attempt({t})) {
      count_ops(*invoked);
    }
  }
  begin_.assign(1, 0);
  begin_.reserve(writes.size() + 1);
  for (const std::size_t n : writes) {
    begin_.push_back(begin_.back() + slots_for(n));
  }
  slots_.resize(begin_.back());
}

void WriteIndex::add_ops(const History& history, LaterWrites& later, TxnId txn,
                         std::span<const Op> ops, bool attempted) {
  for (const Op op : ops) {
    if (later.has(op)) {
      prefetch(op.key(), op.value());
    }
  }
  const std::vector<bool>& overwritten = later.of(ops);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (later.has(ops[i])) {
      add(history, txn, ops[i], attempted, overwritten[i]);
    }
  }
}

void WriteIndex::add(const History& history, TxnId txn, Op op, bool attempted, bool overwritten) {
  WriteEntry& entry = slots_[slot_of(op.key(), op.value())];
  if (attempted && (entry.writer == txn || entry.aborted == txn)) {
    return;
  }
  entry.repeated |= entry.known();
  entry.value = op.value();
  entry.intermediate |= overwritten;
  if (attempted) {
    entry.attempted = txn;
  } else if (history.status(txn) == TxnStatus::kAborted) {
    entry.aborted = txn;
  } else {
    entry.writer = txn;
  }
}

std::size_t WriteIndex::slot_of(KeyId key, ValueId value) const {
  const std::size_t begin = begin_[key.index()];
  const std::size_t end = begin_[key.index() + 1];
  std::size_t at = begin + place_of_value(value, end - begin);
  while (slots_[at].known() && slots_[at].value != value) {
    at = at + 1 == end ? begin : at + 1;
  }
  return at;
}

const WriteEntry* WriteIndex::find(KeyId key, ValueId value) const {
  if (begin_[key.index()] == begin_[key.index() + 1]) {
    return nullptr;
  }
  const WriteEntry& entry = slots_[slot_of(key, value)];
  return entry.known() ? &entry : nullptr;
}

WriteEntry* WriteIndex::find(KeyId key, ValueId value) {
  return const_cast<WriteEntry*>(
      std::as_const(*this).find(key, value));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace elapid
