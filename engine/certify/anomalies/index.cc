#include "engine/certify/anomalies/index.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/certify/operations/others_elements.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

namespace {

// Which transactions took effect, as far as evidence may rely on it.
//
// Committed transactions did. An indeterminate one did if a trusted transaction read a value that
// only it can have written. A register's initial value and an empty list (nil) are never such a
// value. Elle believes all completed transactions, and its anomalies are re-checked likewise.

/// Spreads trust from readers to the indeterminate writers of what they read, to a fixed point.
class Spread {
 public:
  Spread(const History& history, const Writers& writers, bool list_append, bool elle_compat)
      : history_(history),
        list_append_(list_append),
        elle_compat_(elle_compat),
        others_(history, elle_compat),
        trusted_(history.txn_count()) {
    for (const Write& write : writers.all()) {
      if (history.status(write.txn) == TxnStatus::kIndeterminate &&
          !writers.another(write.txn, write.key, write.value)) {
        unsettled_.push_back(write);
      }
    }
  }

  void trust(TxnId txn) {
    if (!trusted_[txn.index()]) {
      trusted_[txn.index()] = true;
      pending_.push_back(txn);
    }
  }

  std::vector<bool> finish() && {
    while (!unsettled_.empty() && !pending_.empty()) {
      const TxnId reader = pending_.back();
      pending_.pop_back();
      follow(reader);
    }
    return std::move(trusted_);
  }

 private:
  void follow(TxnId reader) {
    for (const Op op : history_.ops(reader)) {
      const auto others = others_.next(reader, op);
      if (!is_answered(history_, reader, op)) {
        continue;
      }
      if (op.kind() == OpKind::kReadList) {
        follow_list(op.key(), others.value_or(std::span<const ValueId>()));
      } else if (!list_append_ && (elle_compat_ || !history_.is_initial(op.value()))) {
        observe(op.key(), op.value());
      }
    }
  }

  /// Lists that begin at one address are prefixes of one another: only what is new is looked at.
  void follow_list(KeyId key, std::span<const ValueId> list) {
    if (list.empty()) {
      return;
    }
    std::size_t& seen = seen_[list.data()];
    for (; seen < list.size(); ++seen) {
      observe(key, list[seen]);
    }
  }

  void observe(KeyId key, ValueId value) {
    const auto write = std::ranges::lower_bound(unsettled_, Write{key, value, TxnId{0}});
    if (write != unsettled_.end() && write->key == key && write->value == value) {
      trust(write->txn);
    }
  }

  const History& history_;
  bool list_append_;
  bool elle_compat_;
  OthersElements others_;
  std::vector<bool> trusted_;
  std::vector<TxnId> pending_;
  std::vector<Write> unsettled_;  // by indeterminate transactions, who alone can have done them
  std::unordered_map<const ValueId*, std::size_t> seen_;
};

/// By transaction, whether it is trusted. Every element of a key's longest lists is looked at once.
std::vector<bool> trusted_transactions(const History& history, const Writers& writers,
                                       bool list_append, bool elle_compat) {
  Spread spread(history, writers, list_append, elle_compat);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const TxnId txn{t};
    const bool is_believed = elle_compat && history.status(txn) == TxnStatus::kIndeterminate &&
                             history.has_completion(txn);
    if (history.committed(txn) || is_believed) {
      spread.trust(txn);
    }
  }
  return std::move(spread).finish();
}

}  // namespace

Index::Index(const History& history, const Assumptions& assumptions, bool list_append)
    : history_(history),
      list_append_(list_append),
      elle_compat_(assumptions.elle_compat),
      orders_keys_(assumptions.sequential_keys || assumptions.linearizable_keys),
      writers_(history),
      trusted_(trusted_transactions(history, writers_, list_append, assumptions.elle_compat)),
      lists_(history, trusted_, elle_compat_),
      shown_elements_(history),
      registers_(history, assumptions, writers_, trusted_) {}

const ListVersions& Index::all_lists() const {
  if (!all_lists_) {
    all_lists_.emplace(history_, std::vector<bool>(history_.txn_count(), true), elle_compat_);
  }
  return *all_lists_;
}

}  // namespace elapid::certify
