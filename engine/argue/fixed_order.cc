#include "engine/argue/fixed_order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace elapid::argue {

FixedOrder::FixedOrder(const History& history, OrderLevel level)
    : history_(history),
      level_(level),
      has_two_events_(elapid::has_two_events(level.visibility)),
      has_real_time_(level.real_time && history.info().has_real_time),
      event_count_(static_cast<std::uint32_t>(history.txn_count()) * (has_two_events_ ? 2 : 1)),
      vertex_count_(event_count_) {
  const TxnId initial = history.info().initial_txn;
  if (!initial.is_none() && history.committed(initial)) {
    initial_ = initial;
  }
  std::vector<TxnId> txns;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) == TxnStatus::kAborted) {
      continue;
    }
    txns.push_back(txn);
    if (has_two_events_) {
      edges_.emplace_back(vertex(start(txn)), vertex(commit(txn)));
    }
    if (!initial_.is_none() && txn != initial_) {
      edges_.emplace_back(vertex(commit(initial_)), vertex(start(txn)));
    }
  }
  for (SessionId session{0}; level.sessions && session.index() < history.session_count();
       ++session.value) {
    TxnId last = TxnId::none();
    for (const TxnId txn : history.session_txns(session)) {
      if (history.status(txn) == TxnStatus::kAborted) {
        continue;
      }
      if (!last.is_none()) {
        edges_.emplace_back(vertex(commit(last)), vertex(start(txn)));
      }
      last = history.committed(txn) ? txn : last;
    }
  }
  if (has_real_time_) {
    add_timeline(txns);
  }
}

/// Adds a vertex for each completion. It leads to the next completion, and to what is invoked after
/// it.
void FixedOrder::add_timeline(const std::vector<TxnId>& txns) {
  std::vector<TxnId> by_completion;
  std::vector<TxnId> by_invocation;
  for (const TxnId txn : txns) {
    if (history_.committed(txn)) {
      by_completion.push_back(txn);
    }
    if (history_.has_invocation(txn)) {
      by_invocation.push_back(txn);
    }
  }
  std::ranges::sort(by_completion, {}, [&](TxnId txn) { return history_.completion_id(txn); });
  std::ranges::sort(by_invocation, {}, [&](TxnId txn) { return history_.invocation_id(txn); });
  std::size_t invoked = 0;
  for (std::size_t i = 0; i < by_completion.size(); ++i) {
    while (invoked < by_invocation.size() && history_.invocation_id(by_invocation[invoked]) <
                                                 history_.completion_id(by_completion[i])) {
      if (i > 0) {
        edges_.emplace_back(vertex_count_ - 1, vertex(start(by_invocation[invoked])));
      }
      ++invoked;
    }
    if (i > 0) {
      edges_.emplace_back(vertex_count_ - 1, vertex_count_);
    }
    edges_.emplace_back(vertex(commit(by_completion[i])), vertex_count_);
    ++vertex_count_;
  }
  for (; invoked < by_invocation.size() && !by_completion.empty(); ++invoked) {
    edges_.emplace_back(vertex_count_ - 1, vertex(start(by_invocation[invoked])));
  }
}

std::vector<std::uint32_t> FixedOrder::order(std::span<const OrderEvent> near) const {
  std::vector<std::vector<std::uint32_t>> after(vertex_count_);
  std::vector<std::uint32_t> waiting(vertex_count_, 0);
  for (const auto& [from, to] : edges_) {
    after[from].push_back(to);
    ++waiting[to];
  }
  std::vector<std::uint32_t> place_in_near(near.empty() ? 0 : event_count_, vertex_count_);
  for (std::size_t i = 0; i < near.size(); ++i) {
    place_in_near[vertex(near[i])] = static_cast<std::uint32_t>(i + 1);
  }
  // Completions in real time go first, so that events do not wait for them.
  const auto place = [&](std::uint32_t v) -> std::uint64_t {
    if (!is_event(v)) {
      return 0;
    }
    if (!near.empty()) {
      return place_in_near[v];
    }
    const OrderEvent one = event(v);
    if (has_two_events_ && !one.is_commit && history_.has_invocation(one.txn)) {
      return 1 + history_.invocation_id(one.txn).value;
    }
    return 1 + (history_.has_completion(one.txn) ? history_.completion_id(one.txn).value
                                                 : one.txn.value);
  };
  using Entry = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (std::uint32_t v = 0; v < vertex_count_; ++v) {
    if (waiting[v] == 0) {
      ready.emplace(place(v), v);
    }
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    const std::uint32_t v = ready.top().second;
    ready.pop();
    order.push_back(v);
    for (const std::uint32_t next : after[v]) {
      if (--waiting[next] == 0) {
        ready.emplace(place(next), next);
      }
    }
  }
  return order;
}

bool FixedOrder::precedes(TxnId a, TxnId b) const {
  if (a == b || !history_.committed(a) || b == initial_) {
    return false;
  }
  const bool in_session = level_.sessions && history_.session(a) == history_.session(b) && a < b;
  const bool in_real_time = has_real_time_ && history_.has_invocation(b) &&
                            history_.completion_id(a) < history_.invocation_id(b);
  return a == initial_ || in_session || in_real_time;
}

}  // namespace elapid::argue
