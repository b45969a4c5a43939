#include "engine/certify/operations/trust.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/others_elements.h"

namespace elapid::certify {

namespace {

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
      if (!answered(history_, reader, op)) {
        continue;
      }
      if (op.kind() == OpKind::kReadList) {
        follow_list(op.key(), others.value_or(std::span<const ValueId>()));
      } else if (!list_append_ && (elle_compat_ || !is_initial(history_, op.value()))) {
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

}  // namespace

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

}  // namespace elapid::certify
