#include "engine/certify/rows/rows_order.h"

#include <algorithm>
#include <set>

namespace elapid::certify {

void RowsOrder::add(OrderEvent a, OrderEvent b) {
  proved_[code(a)].push_back(b);
  reached_.clear();
}

bool RowsOrder::is_given(OrderEvent a, OrderEvent b) const {
  if (a.txn == b.txn) {
    return !a.is_commit && b.is_commit;
  }
  if (!history_.committed(a.txn)) {
    return false;
  }
  const TxnId initial = history_.info().initial_txn;
  if (!initial.is_none() && history_.committed(initial) && (a.txn == initial || b.txn == initial)) {
    return a.txn == initial;
  }
  return (level_.sessions && history_.session(a.txn) == history_.session(b.txn) && a.txn < b.txn) ||
         (level_.real_time && history_.info().has_real_time && history_.has_invocation(b.txn) &&
          history_.completion_id(a.txn) < history_.invocation_id(b.txn));
}

bool RowsOrder::precedes(OrderEvent a, OrderEvent b) const {
  if (is_given(a, b)) {
    return true;
  }
  return a != b && std::ranges::any_of(reached(a), [&](OrderEvent event) {
           return event == b || is_given(event, b);
         });
}

const std::vector<OrderEvent>& RowsOrder::reached(OrderEvent from) const {
  const auto [found, is_new] = reached_.try_emplace(code(from));
  std::vector<OrderEvent>& ends = found->second;
  if (!is_new) {
    return ends;
  }
  std::set<Code> sources;
  const auto go_on = [&](OrderEvent at) {
    for (const auto& [source, to] : proved_) {
      const OrderEvent event = {{source.first}, source.second};
      if ((event == at || is_given(at, event)) && sources.insert(source).second) {
        ends.insert(ends.end(), to.begin(), to.end());
      }
    }
  };
  go_on(from);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    go_on(OrderEvent(ends[i]));
  }
  return ends;
}

}  // namespace elapid::certify
