// Which transactions are written, and with which outcome.
#include <algorithm>

#include "parsers/convert/plan.h"

namespace elapid {

namespace {

/// Visits the reads of committed transactions as (key, value). Of lists that are prefixes of a
/// key's trunk only the longest is visited, since shorter ones show nothing more.
template <class Seen>
void for_each_observation(const History& history, Seen seen) {
  std::vector<std::uint32_t> longest(history.key_count(), 0);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!history.committed(txn)) {
      continue;
    }
    for (const Op op : history.ops(txn)) {
      if (op.kind() == OpKind::kRead) {
        seen(op.key(), op.value());
      } else if (op.kind() == OpKind::kReadList && op.list().is_prefix()) {
        std::uint32_t& length = longest[op.key().index()];
        length = std::max(length, op.list().length());
      } else if (op.kind() == OpKind::kReadList) {
        std::ranges::for_each(history.elements(op), [&](ValueId v) { seen(op.key(), v); });
      }
    }
  }
  for (KeyId key{0}; key.index() < longest.size(); ++key.value) {
    const auto elements = history.elements(key, ListId::prefix(longest[key.index()]));
    std::ranges::for_each(elements, [&](ValueId value) { seen(key, value); });
  }
}

}  // namespace

/// Marks transactions with a write that a committed transaction saw.
std::vector<bool> Plan::observed_txns() const {
  std::vector<bool> observed(history_->txn_count(), false);
  for_each_observation(*history_, [&](KeyId key, ValueId value) {
    for (const WrittenValues::Write& write : written_.find(key, value)) {
      observed[write.txn.index()] = true;
    }
  });
  return observed;
}

bool Plan::has_written_op(TxnId txn) const {
  return std::ranges::any_of(history_->ops(txn), [&](Op op) { return is_written(txn, op); });
}

/// Chooses outcomes for a format without `indeterminate`: a transaction whose write was read has
/// committed, and one that no transaction saw may be left out.
void Plan::choose_statuses() {
  const std::size_t count = history_->txn_count();
  status_.resize(count);
  is_kept_.assign(count, true);
  std::vector<bool> observed;
  for (TxnId txn{0}; txn.index() < count; ++txn.value) {
    const TxnStatus status = history_->status(txn);
    status_[txn.index()] = status;
    if (status == TxnStatus::kAborted) {
      is_kept_[txn.index()] = target_->aborted || target_->aborted_writes;
    } else if (status == TxnStatus::kIndeterminate && !target_->indeterminate) {
      if (observed.empty()) {
        observed = observed_txns();
      }
      is_kept_[txn.index()] = observed[txn.index()];
      status_[txn.index()] = TxnStatus::kCommitted;
    }
    if (!target_->empty_transactions && !has_written_op(txn)) {
      is_kept_[txn.index()] = false;
    }
  }
  const TxnId initial = history_->info().initial_txn;
  if (!initial.is_none() && target_->initial != InitialForm::kWritten &&
      workload_ != Workload::kRows) {
    is_kept_[initial.index()] = false;
  }
}

}  // namespace elapid
