#include "engine/online/register_keys.h"

#include <utility>

namespace elapid {

RegisterKeys::Key& RegisterKeys::find(Atom name, Paging& paging) {
  const std::uint32_t place = places_.find_or_add(static_cast<std::int64_t>(name.bits()),
                                                  static_cast<std::uint32_t>(keys_.size()));
  if (place == keys_.size()) {
    keys_.push_back({.versions = OnlineRegister(name, is_stored_, paging)});
  }
  return keys_[place];
}

void RegisterKeys::carry_out(const PlacedTxn& txn, const KeyContext& context) {
  ++count_;
  reads_.clear();
  other_names_.clear();
  writes_.clear();
  for (std::uint32_t mop = 0; mop < txn.txn.ops.size(); ++mop) {
    const OnlineOp& op = txn.txn.ops[mop];
    const bool is_read = op.kind == OpKind::kRead;
    if (is_read && txn.placement != Placement::kPlaced) {
      continue;
    }
    Key& key = find(op.key, context.paging);
    if (is_read) {
      read(key, op, mop, context);
    } else {
      write(key, op.value, txn, context);
    }
    key.toucher = count_;
    key.own = op.value;
  }
  prefetch(txn);
  add_reads(txn, context);
  for (const Write& write : writes_) {
    write.key->versions.add_version(
        {.at = txn.writes, .start = txn.starts, .writer = txn.txn.id, .value = write.value},
        context);
  }
}

/// Each read knows the key of the transaction's next first read.
void RegisterKeys::add_reads(const PlacedTxn& txn, const KeyContext& context) {
  const auto add = [&](const Read& read) {
    const std::size_t next = read.key->read + 1;
    read.key->versions.add_read({txn.reads, txn.txn.id, read.mop}, read.value,
                                reads_[next < reads_.size() ? next : 0].name, context);
  };
  for (const Read& read : reads_) {
    add(read);
  }
  for (const Read& read : other_names_) {
    add(read);
  }
}

/// Pages are anywhere in memory. Those of all keys are fetched together.
void RegisterKeys::prefetch(const PlacedTxn& txn) {
  pages_.clear();
  for (const Read& read : reads_) {
    pages_.push_back(read.key->versions.pages().peek(txn.reads));
  }
  for (const Write& write : writes_) {
    pages_.push_back(write.key->versions.pages().peek(txn.writes));
  }
  for (const KeyPage* page : pages_) {
    __builtin_prefetch(page);
  }
  for (const KeyPage* page : pages_) {
    if (page != nullptr && !page->versions.empty()) {
      __builtin_prefetch(&page->versions.back());
      __builtin_prefetch(&page->versions[page->versions.size() / 2]);
    }
    if (page != nullptr && !page->reads.empty()) {
      __builtin_prefetch(&page->reads.back());
      __builtin_prefetch(&page->reads[page->reads.size() / 2]);
    }
  }
}

/// If a read shows the other name of the initial state, and the transaction wrote nothing, the
/// version decides.
void RegisterKeys::read(Key& key, const OnlineOp& op, std::uint32_t mop,
                        const KeyContext& context) {
  if (key.toucher != count_) {
    key.has_written = false;
    key.read = reads_.size();
    reads_.push_back({&key, op.key, op.value, mop});
  } else if (key.own == op.value) {
    return;
  } else if (!key.has_written && context.is_initial(key.own) && context.is_initial(op.value)) {
    other_names_.push_back({&key, op.key, op.value, mop});
  } else {
    context.observer.on_internal(op.key, mop, {.read = op.value, .expected = key.own});
  }
}

void RegisterKeys::write(Key& key, Atom value, const PlacedTxn& txn, const KeyContext& context) {
  if (key.toucher == count_ && key.has_written) {
    const Atom passed = std::exchange(writes_[key.write].value, value);
    key.versions.add_passing({txn.writes, txn.txn.id, passed}, context);
  } else {
    key.has_written = true;
    key.write = writes_.size();
    writes_.push_back({&key, value});
  }
}

ReadState RegisterKeys::state(Atom key, const ReadName& read, const KeyContext& context) {
  return find(key, context.paging).versions.find(read, context).state;
}

ViolationFacts RegisterKeys::facts(Atom key, const ReadName& read, bool wants_origin,
                                   const KeyContext& context) {
  OnlineRegister& versions = find(key, context.paging).versions;
  const OnlineRead found = versions.find(read, context);
  const auto expected = versions.expected(read, context);
  const OnlineOrigin origin = wants_origin ? versions.origin(found, context) : OnlineOrigin();
  return {.other = origin.writer,
          .read = found.value,
          .expected = expected ? expected->value : context.initial,
          .expected_writer = expected ? expected->writer : Atom::none(),
          .read_at = read.at,
          .origin = origin.origin,
          .depends = wants_origin && expected && reads_from(key, found, *expected, context),
          .within_clock_skew =
              wants_origin && context.clock_skew.bound > 0 && versions.may_be_skew(found, context)};
}

/// Whether another read of the transaction shows what the version's writer left. A first read of
/// the same key may do so, before one that shows the initial state by its other name.
bool RegisterKeys::reads_from(Atom key, const OnlineRead& read, const OnlineVersion& version,
                              const KeyContext& context) {
  for (Atom next = read.next;;) {
    OnlineRegister& versions = find(next, context.paging).versions;
    const auto other = versions.read_of(read.reader, read.at, context);
    if (!other) {  // it was forgotten
      return false;
    }
    if (other->value == versions.left_by(version.writer, version.at, context)) {
      return true;
    }
    if (next == key) {
      return false;
    }
    next = other->next;
  }
}

bool RegisterKeys::replaced_one_version(Atom key, const OnlineVersion& a, const OnlineVersion& b,
                                        const KeyContext& context) {
  OnlineRegister& versions = find(key, context.paging).versions;
  const auto first = versions.read_of(a.writer, read_moment(a), context);
  const auto second = versions.read_of(b.writer, read_moment(b), context);
  return first && second && first->value == second->value;
}

void RegisterKeys::rejudge(Atom key, Atom value, const KeyContext& context) {
  find(key, context.paging).versions.rejudge_value(value, context);
}

void RegisterKeys::evict_before(Timestamp time, bool cuts, Paging& paging) {
  for (Key& key : keys_) {
    if (cuts) {
      key.versions.pages().cut_at(time, paging);
    }
    key.versions.pages().evict_before(time, paging);
  }
}

void RegisterKeys::flush(Paging& paging) {
  for (Key& key : keys_) {
    key.versions.pages().flush(paging);
  }
}

void RegisterKeys::drop(Paging& paging) {
  for (Key& key : keys_) {
    key.versions.pages().drop(paging);
  }
  keys_.clear();
  places_ = IntMap();
  reads_.clear();
  writes_.clear();
  is_stored_ = true;
}

}  // namespace elapid
