#include "engine/infer/order.h"

#include <algorithm>
#include <numeric>

namespace elapid {

EventOrder::EventOrder(const History& history) : slots_(history.info().event_count, kSkipped) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.has_invocation({t})) {
      slots_[history.invocation_id({t}).index()] = t;
    }
    if (history.has_completion({t})) {
      slots_[history.completion_id({t}).index()] = t | kCompletionBit;
    }
  }
}

void add_process_edges(const History& history, const std::vector<bool>& believed,
                       std::vector<LabelledEdge>& edges) {
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    TxnId previous;
    for (const TxnId txn : history.session_txns({s})) {
      if (!believed[txn.index()]) {
        continue;
      }
      if (!previous.is_none()) {
        edges.push_back({previous.value, txn.value, kProcessEdge});
      }
      if (history.committed(txn)) {
        previous = txn;
      }
    }
  }
}

void add_timeline(const History& history, const EventOrder& order,
                  const std::vector<bool>& believed, std::uint32_t& next_vertex,
                  std::vector<LabelledEdge>& edges) {
  bool any = false;         // some point exists
  bool invoked = false;     // something was invoked after the current point
  std::uint32_t point = 0;  // the current one: later than the completions that lead to it
  order.each([&](TxnId txn, EventKind kind) {
    if (!believed[txn.index()]) {
      return;
    }
    if (kind == EventKind::kInvocation) {
      if (any) {
        edges.push_back({point, txn.value, kRealtimeEdge});
        invoked = true;
      }
      return;
    }
    if (!history.committed(txn)) {
      return;
    }
    if (!any || invoked) {
      if (any) {
        edges.push_back({point, next_vertex, kRealtimeEdge});
      }
      point = next_vertex++;
      any = true;
      invoked = false;
    }
    edges.push_back({txn.value, point, kRealtimeEdge});
  });
}

void add_realtime_edges(const History& history, const EventOrder& order,
                        const std::vector<bool>& believed,
                        const std::function<bool(TxnId, TxnId)>& wanted,
                        std::vector<LabelledEdge>& edges) {
  std::vector<TxnId> done;  // completed, and no other completed since that was invoked after them
  order.each([&](TxnId txn, EventKind kind) {
    if (kind == EventKind::kInvocation) {
      if (!believed[txn.index()]) {
        return;
      }
      for (const TxnId before : done) {
        if (wanted(before, txn)) {
          edges.push_back({before.value, txn.value, kRealtimeEdge});
        }
      }
    } else if (history.committed(txn)) {
      if (history.has_invocation(txn)) {
        const EventId invoked = history.invocation_id(txn);
        std::erase_if(done, [&](TxnId before) { return history.completion_id(before) < invoked; });
      }
      done.push_back(txn);
    }
  });
}

namespace {

TransitiveOrder process_order(const History& history, std::span<const TxnId> txns) {
  TransitiveOrder order(kProcessEdge, static_cast<std::uint32_t>(txns.size()));
  std::vector<std::uint32_t> by_session(txns.size());
  std::iota(by_session.begin(), by_session.end(), 0U);
  const auto session = [&](std::uint32_t v) { return history.session(txns[v]); };
  std::ranges::stable_sort(by_session, {}, session);
  for (auto begin = by_session.begin(); begin != by_session.end();) {
    const auto end = std::find_if(begin, by_session.end(),
                                  [&](std::uint32_t v) { return session(v) != session(*begin); });
    std::uint32_t place = order.add_chain({begin, end});
    for (; begin != end; ++begin) {
      ++place;
      if (history.committed(txns[*begin])) {
        order.precede(*begin, place);
      }
    }
  }
  return order;
}

TransitiveOrder realtime_order(const History& history, std::span<const TxnId> txns) {
  std::vector<std::uint32_t> invoked;
  for (std::uint32_t v = 0; v < txns.size(); ++v) {
    if (history.has_invocation(txns[v])) {
      invoked.push_back(v);
    }
  }
  const auto invocation = [&](std::uint32_t v) { return history.invocation_id(txns[v]); };
  std::ranges::sort(invoked, {}, invocation);
  TransitiveOrder order(kRealtimeEdge, static_cast<std::uint32_t>(txns.size()));
  const std::uint32_t begin = order.add_chain(invoked);
  for (std::uint32_t v = 0; v < txns.size(); ++v) {
    if (history.committed(txns[v])) {
      const auto later =
          std::ranges::upper_bound(invoked, history.completion_id(txns[v]), {}, invocation);
      order.precede(v, begin + static_cast<std::uint32_t>(later - invoked.begin()));
    }
  }
  return order;
}

}  // namespace

std::vector<TransitiveOrder> transitive_orders(const History& history, ExternalOrders orders,
                                               std::span<const TxnId> txns) {
  std::vector<TransitiveOrder> result;
  if (orders.process) {
    result.push_back(process_order(history, txns));
  }
  if (orders.realtime) {
    result.push_back(realtime_order(history, txns));
  }
  return result;
}

namespace {

bool processes_order_anything(const History& history) {
  std::vector<bool> committed(history.session_count(), false);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.committed({t})) {
      if (committed[history.session({t}).index()]) {
        return true;
      }
      committed[history.session({t}).index()] = true;
    }
  }
  return false;
}

bool real_time_orders_anything(const History& history) {
  EventId first_completion;
  EventId last_invocation{0};
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.committed({t})) {
      first_completion = std::min(first_completion, history.completion_id({t}));
    }
    if (history.has_invocation({t}) && history.has_completion({t})) {
      last_invocation = std::max(last_invocation, history.invocation_id({t}));
    }
  }
  return first_completion < last_invocation;
}

}  // namespace

bool orders_anything(const History& history, ExternalOrders orders) {
  return (orders.process && processes_order_anything(history)) ||
         (orders.realtime && real_time_orders_anything(history));
}

}  // namespace elapid
