#include "engine/workloads/rw_register/register_versions.h"

#include <utility>

namespace elapid {

ExternalOps::ExternalOps(const History& history) {
  constexpr std::uint32_t kUntouched = 0xffffffffU;
  std::vector<std::uint32_t> entry_of(history.key_count(),
                                      kUntouched);  // by key, of the current transaction
  begin_.reserve(history.txn_count() + 1);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::uint32_t begin = begin_.back();
    for (const Op op : history.ops({t})) {
      std::uint32_t& entry = entry_of[op.key().index()];
      if (entry == kUntouched || entry < begin) {
        entry = static_cast<std::uint32_t>(ops_.size());
        ExternalOp& external = ops_.emplace_back(ExternalOp{.key = op.key()});
        const bool unknown = op.value().is_nil() && !history.committed({t});
        if (op.kind() == OpKind::kRead && !unknown) {
          external.read = op.value();
        }
      }
      if (op.kind() == OpKind::kWrite) {
        ops_[entry].write = op.value();
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(ops_.size()));
  }
}

RegisterVersions::RegisterVersions(const History& history)
    : history_(history), writes_(history, OpKind::kWrite), external_(history) {
  find_initial();
  find_believed();
  number_versions();
  mark_ambiguous();
}

void RegisterVersions::find_initial() {
  const TxnId initial_txn = history_.info().initial_txn;
  if (initial_txn.is_none()) {
    return;
  }
  initial_values_.assign(history_.key_count(), ValueId::none());
  for (const ExternalOp& op : external_.of(initial_txn)) {
    initial_values_[op.key.index()] = op.write;
  }
}

bool RegisterVersions::ambiguous(KeyId key, ValueId value) const {
  const WriteEntry* entry = writes_.find(key, value);
  return entry != nullptr && (entry->repeated || history_.is_initial(value));
}

void RegisterVersions::find_believed() {
  believed_.assign(history_.txn_count(), false);
  std::vector<TxnId> pending;
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    believed_[t] = history_.committed({t});
    if (believed_[t]) {
      pending.push_back({t});
    }
  }
  // If a believed transaction's read has one possible writer, that writer is believed.
  while (!pending.empty()) {
    const TxnId reader = pending.back();
    pending.pop_back();
    for (const ExternalOp& op : external_.of(pending.empty() ? reader : pending.back())) {
      if (!op.read.is_none()) {
        writes_.prefetch(op.key, op.read);
      }
    }
    for (const ExternalOp& op : external_.of(reader)) {
      const WriteEntry* entry = op.read.is_none() ? nullptr : writes_.find(op.key, op.read);
      if (entry != nullptr && !ambiguous(op.key, op.read) && !entry->writer.is_none() &&
          !believed_[entry->writer.index()]) {
        believed_[entry->writer.index()] = true;
        pending.push_back(entry->writer);
      }
    }
  }
}

/// Numbers the versions, and lists their writers and readers.
void RegisterVersions::number_versions() {
  std::vector<std::size_t> touches(history_.key_count(), 0);
  const auto each_believed = [this](auto visit) {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (believed_[txn.index()]) {
        visit(txn);
      }
    }
  };
  std::size_t writes = 0;
  std::size_t reads = 0;
  each_believed([&](TxnId txn) {
    for (const ExternalOp& op : external_.of(txn)) {
      touches[op.key.index()] += (op.read.is_none() ? 0U : 1U) + (op.write.is_none() ? 0U : 1U);
      reads += op.read.is_none() ? 0U : 1U;
      writes += op.write.is_none() ? 0U : 1U;
    }
  });
  table_begin_.assign(1, 0);
  table_begin_.reserve(touches.size() + 1);
  for (const std::size_t n : touches) {
    table_begin_.push_back(table_begin_.back() + slots_for(n));
  }
  table_.resize(table_begin_.back());
  std::vector<std::pair<VersionId, TxnId>> written;
  std::vector<std::pair<VersionId, TxnId>> read;
  written.reserve(writes);
  read.reserve(reads);
  each_believed([&](TxnId txn) {
    for (const ExternalOp& op : external_.of(txn)) {
      prefetch(op.key, op.read.is_none() ? op.write : op.read);
    }
    for (const ExternalOp& op : external_.of(txn)) {
      if (!op.read.is_none()) {
        read.emplace_back(number(op.key, op.read), txn);
      }
      if (!op.write.is_none()) {
        written.emplace_back(number(op.key, op.write), txn);
      }
    }
  });
  writers_.build(count(), written);
  std::vector<std::pair<VersionId, TxnId>>().swap(written);
  readers_.build(count(), read);
}

/// The version. It gets a number if it has none.
VersionId RegisterVersions::number(KeyId key, ValueId value) {
  const ValueId named = name(key, value);
  VersionId& version = table_[slot_of(key, named)];
  if (version.is_none()) {
    version = {static_cast<std::uint32_t>(values_.size())};
    keys_.push_back(key);
    values_.push_back(named);
  }
  return version;
}

/// The one name of the value's version. The initial state has two, nil and the initial value. They
/// may be two versions if a transaction wrote one of them.
ValueId RegisterVersions::name(KeyId key, ValueId value) const {
  const ValueId initial = history_.info().initial;
  const bool is_other_name = value.is_nil() && !initial.is_nil() && !initial.is_none() &&
                             !ambiguous(key, value) && !ambiguous(key, initial);
  return is_other_name ? initial : value;
}

void RegisterVersions::mark_ambiguous() {
  ambiguous_.assign(count(), false);
  constexpr std::size_t kAhead = 16;
  for (VersionId version{0}; version.index() < count(); ++version.value) {
    if (const std::size_t ahead = version.index() + kAhead; ahead < count()) {
      writes_.prefetch(keys_[ahead], values_[ahead]);
    }
    ambiguous_[version.index()] = ambiguous(key(version), value(version));
  }
}

std::size_t RegisterVersions::slot_of(KeyId key, ValueId value) const {
  const std::size_t begin = table_begin_[key.index()];
  const std::size_t end = table_begin_[key.index() + 1];
  std::size_t at = begin + place_of_value(value, end - begin);
  while (!table_[at].is_none() && values_[table_[at].index()] != value) {
    at = at + 1 == end ? begin : at + 1;
  }
  return at;
}

VersionId RegisterVersions::find(KeyId key, ValueId value) const {
  const bool has_table = table_begin_[key.index()] != table_begin_[key.index() + 1];
  return has_table && !value.is_none() ? table_[slot_of(key, name(key, value))] : VersionId::none();
}

}  // namespace elapid
