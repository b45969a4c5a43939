#include "engine/replay/order_draft.h"

#include <algorithm>
#include <numeric>

namespace elapid::replay {

OrderDraft::OrderDraft(const History& history, OrderLevel level,
                       const std::vector<bool>& takes_part)
    : has_two_events_(level.visibility != Visibility::kSerial),
      vertex_count_(static_cast<Vertex>(history.txn_count() * (has_two_events_ ? 2 : 1))),
      order_(vertex_count_),
      position_(vertex_count_) {
  std::iota(order_.begin(), order_.end(), 0);
  std::iota(position_.begin(), position_.end(), 0);
  const TxnId initial = history.info().initial_txn;
  const bool has_initial = !initial.is_none() && history.committed(initial);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!takes_part[txn.index()]) {
      continue;
    }
    if (has_two_events_) {
      add(start(txn), commit(txn));
    }
    if (has_initial && txn != initial) {
      add(commit(initial), start(txn));
    }
  }
  if (level.sessions) {
    add_sessions(history, takes_part);
  }
}

/// A transaction comes after the committed ones before it in its session.
void OrderDraft::add_sessions(const History& history, const std::vector<bool>& takes_part) {
  for (SessionId session{0}; session.index() < history.session_count(); ++session.value) {
    TxnId last = TxnId::none();
    for (const TxnId txn : history.session_txns(session)) {
      if (!last.is_none() && takes_part[txn.index()]) {
        add(commit(last), start(txn));
      }
      last = history.committed(txn) ? txn : last;
    }
  }
}

bool OrderDraft::sort() {
  std::vector<std::uint32_t> begin(vertex_count_ + 1, 0);
  std::vector<std::uint32_t> waits_for(vertex_count_, 0);
  for (const auto& [from, to] : edges_) {
    ++begin[from + 1];
    ++waits_for[to];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Vertex> heads(edges_.size());
  std::vector<std::uint32_t> end(begin.begin(), begin.end() - 1);
  for (const auto& [from, to] : edges_) {
    heads[end[from]++] = to;
  }
  std::vector<Vertex> order;
  order.reserve(vertex_count_);
  for (Vertex vertex = 0; vertex < vertex_count_; ++vertex) {
    if (waits_for[vertex] == 0) {
      order.push_back(vertex);
    }
  }
  std::size_t layer_begin = 0;
  while (layer_begin < order.size()) {  // a layer is what waits for the one before alone
    const std::size_t layer_end = order.size();
    for (; layer_begin < layer_end; ++layer_begin) {
      const Vertex from = order[layer_begin];
      for (std::uint32_t at = begin[from]; at < begin[from + 1]; ++at) {
        if (--waits_for[heads[at]] == 0) {
          order.push_back(heads[at]);
        }
      }
    }
    std::ranges::sort(order.begin() + static_cast<std::ptrdiff_t>(layer_end), order.end());
  }
  if (order.size() < vertex_count_) {
    return false;
  }
  order_ = std::move(order);
  for (std::uint32_t at = 0; at < vertex_count_; ++at) {
    position_[order_[at]] = at;
  }
  return true;
}

}  // namespace elapid::replay
