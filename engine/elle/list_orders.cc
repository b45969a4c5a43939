#include "engine/elle/list_orders.h"

#include <span>

#include "engine/elle/value_hash.h"
#include "engine/elle/writes.h"
#include "engine/infer/list_reads.h"

namespace elapid::elle {

namespace {

/// Calls `visit(ops)` for every event that counts. An invocation that differs from its completion
/// only in reads, which are then nil, is visited as the completion.
template <class Visit>
void each_event(const History& history, Witnesses witnesses, Visit visit) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const TxnId txn{t};
    const bool counts = witnesses == Witnesses::kAll || history.status(txn) != TxnStatus::kAborted;
    if (history.has_completion(txn) && counts) {
      visit(history.ops(txn));
    }
    if (history.has_invocation(txn) && witnesses == Witnesses::kAll) {
      visit(invoked_ops(history, txn));
    }
  }
}

}  // namespace

LongestLists::LongestLists(const History& history)
    : history_(history), longest_(history.key_count()) {}

void LongestLists::add(Op read) {
  if (read.kind() != OpKind::kReadList) {
    return;
  }
  Longest& longest = longest_[read.key().index()];
  const std::size_t length =
      read.list().is_prefix() ? read.list().length() : history_.elements(read).size();
  if (length > longest.length) {
    longest = {read.list(), length};
  } else if (length == longest.length && length > 0 && read.list() != longest.list) {
    if (!longest.hash) {
      longest.hash = clojure_hash(history_, history_.elements(read.key(), longest.list));
    }
    const std::uint32_t hash = clojure_hash(history_, history_.elements(read));
    if (iterates_before(*longest.hash, hash)) {
      longest = {read.list(), length, hash};
    }
  }
}

std::optional<ListId> LongestLists::of(KeyId key) const {
  const Longest& longest = longest_[key.index()];
  return longest.length == 0 ? std::nullopt : std::optional(longest.list);
}

ListOrders::ListOrders(const History& history, Witnesses witnesses)
    : appends_(history.key_count(), 0), orders_(history.key_count()) {
  LongestLists longest(history);
  std::vector<ValueId> last_append(history.key_count());
  each_event(history, witnesses, [&](std::span<const Op> ops) {
    for (const Op op : ops) {
      longest.add(op);
      if (op.kind() == OpKind::kAppend) {
        ++appends_[op.key().index()];
        last_append[op.key().index()] = op.value();
      }
    }
  });
  for (std::uint32_t k = 0; k < orders_.size(); ++k) {
    if (const auto list = longest.of({k})) {
      orders_[k] = without_repetitions(history.elements({k}, *list));
    } else if (appends_[k] == 1) {
      orders_[k] = {last_append[k]};
    }
  }
}

}  // namespace elapid::elle
