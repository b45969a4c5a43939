#include "engine/workloads/long_fork/reads.h"

#include <algorithm>
#include <unordered_map>

#include "engine/ir/seeded_hash.h"

namespace elapid::long_fork {

namespace {

struct HashOfKeys {
  const Reads* reads;

  std::size_t operator()(std::uint32_t read) const {
    std::uint64_t hash = 0;
    for (const Shown& shown : reads->shown(read)) {
      hash = seeded_hash(hash ^ shown.key.value);
    }
    return hash;
  }
};

struct SameKeys {
  const Reads* reads;

  bool operator()(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::equal(reads->shown(a), reads->shown(b), {}, &Shown::key, &Shown::key);
  }
};

/// The keys to which a transaction wrote the initial value, unless this is nil.
std::vector<bool> keys_with_initial_written(const History& history) {
  const ValueId initial = history.info().initial;
  std::vector<bool> keys(history.key_count());
  for (TxnId txn{0}; txn.index() < history.txn_count() && !initial.is_nil(); ++txn.value) {
    for (const Op op : history.ops(txn)) {
      if (op.is_write() && op.value() == initial && history.status(txn) != TxnStatus::kAborted) {
        keys[op.key().index()] = true;
      }
    }
  }
  return keys;
}

}  // namespace

Reads::Reads(const History& history) : writes_initial_(keys_with_initial_written(history)) {
  std::vector<Shown> row;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (!history.committed(txn) || !std::ranges::all_of(ops, &Op::is_read)) {
      continue;
    }
    row.clear();
    for (const Op op : ops) {
      const bool is_unseen =
          op.value() == history.info().initial && !writes_initial_[op.key().index()];
      row.push_back({op.key(), is_unseen ? ValueId::nil() : op.value()});
    }
    std::ranges::stable_sort(row, {}, &Shown::key);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i + 1 == row.size() || row[i + 1].key != row[i].key) {
        shown_.push_back(row[i]);
      }
    }
    txns_.push_back(txn);
    begin_.push_back(static_cast<std::uint32_t>(shown_.size()));
  }
}

std::vector<std::vector<std::uint32_t>> Reads::groups() const {
  std::vector<std::vector<std::uint32_t>> groups;
  std::unordered_map<std::uint32_t, std::size_t, HashOfKeys, SameKeys> number(
      size() / 2 + 1, HashOfKeys{this}, SameKeys{this});
  for (std::uint32_t read = 0; read < size(); ++read) {
    const auto [found, is_new] = number.try_emplace(read, groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    groups[found->second].push_back(read);
  }
  return groups;
}

}  // namespace elapid::long_fork
