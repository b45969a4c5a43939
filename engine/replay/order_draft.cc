#include "engine/replay/order_draft.h"

#include <algorithm>
#include <numeric>

#include "engine/replay/carry_out.h"

namespace elapid::replay {

OrderDraft::OrderDraft(const History& history, OrderLevel level,
                       const std::vector<bool>& takes_part)
    : has_two_events_(level.visibility != Visibility::kSerial),
      has_times_(history.info().has_real_time),
      vertex_count_(static_cast<Vertex>(history.txn_count() * (has_two_events_ ? 2 : 1))),
      is_snapshot_(vertex_count_, false),
      rank_(vertex_count_),
      order_(vertex_count_),
      position_(vertex_count_) {
  std::iota(order_.begin(), order_.end(), 0);
  std::iota(position_.begin(), position_.end(), 0);
  rank(history);
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

/// Ranks commits by completion. Ranks starts, and commits without a completion, by invocation.
void OrderDraft::rank(const History& history) {
  for (Vertex vertex = 0; vertex < vertex_count_; ++vertex) {
    const auto [txn, is_commit] = event(vertex);
    const bool has_completed = is_commit && history.committed(txn);
    const EventId at = has_completed                 ? history.completion_id(txn)
                       : history.has_invocation(txn) ? history.invocation_id(txn)
                                                     : EventId{0};
    rank_[vertex] = at.value;
    is_snapshot_[vertex] = has_times_ && (!is_commit || writes_nothing(history, txn));
  }
}

/// Orders each transaction after the committed ones before it in its session.
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

std::pair<std::uint32_t, std::uint32_t> OrderDraft::room(Vertex vertex) const {
  std::pair<std::uint32_t, std::uint32_t> room = {0, vertex_count_};
  for (const Vertex from : before_.of(vertex)) {
    room.first = std::max(room.first, position_[from] + 1);
  }
  for (const Vertex to : behind_.of(vertex)) {
    room.second = std::min(room.second, position_[to]);
  }
  return room;
}

bool OrderDraft::sort() {
  before_ = Adjacency(vertex_count_, edges_,
                      [](const Edge& edge) { return std::pair(edge.second, edge.first); });
  behind_ = Adjacency(vertex_count_, edges_, [](const Edge& edge) { return edge; });
  std::vector<Vertex> order = has_times_ ? sorted_by_rank() : sorted_by_layers();
  if (order.size() < vertex_count_) {
    return false;
  }
  order_ = std::move(order);
  for (std::uint32_t at = 0; at < vertex_count_; ++at) {
    position_[order_[at]] = at;
    rank_[order_[at]] = 2 * std::uint64_t{at} + 1;
  }
  return true;
}

/// Sorts by rank, with each event after its predecessors: these are placed first if they are still
/// missing. A snapshot waits for its predecessors instead. Returns a part of the events if there is
/// a cycle.
std::vector<OrderDraft::Vertex> OrderDraft::sorted_by_rank() const {
  std::vector<Vertex> by_rank(vertex_count_);
  std::iota(by_rank.begin(), by_rank.end(), 0);
  std::ranges::stable_sort(by_rank, {}, [this](Vertex vertex) { return rank_[vertex]; });
  std::vector<std::uint32_t> waits_for(vertex_count_);
  for (Vertex vertex = 0; vertex < vertex_count_; ++vertex) {
    waits_for[vertex] = static_cast<std::uint32_t>(before_.of(vertex).size());
  }
  enum class State : std::uint8_t { kNew, kOnPath, kThere };
  std::vector<State> state(vertex_count_, State::kNew);
  std::vector<bool> is_waiting(vertex_count_, false);   // snapshots that wait for predecessors
  std::vector<std::uint32_t> looked(vertex_count_, 0);  // predecessors looked at
  std::vector<Vertex> order;
  order.reserve(vertex_count_);
  std::vector<Vertex> path;
  const auto push = [&](Vertex vertex) {
    state[vertex] = State::kOnPath;
    path.push_back(vertex);
  };
  for (const Vertex first : by_rank) {
    if (state[first] == State::kNew && is_snapshot_[first] && waits_for[first] > 0) {
      is_waiting[first] = true;
    } else if (state[first] == State::kNew) {
      push(first);
    }
    while (!path.empty()) {
      const Vertex vertex = path.back();
      if (looked[vertex] < before_.of(vertex).size()) {
        const Vertex from = before_.of(vertex)[looked[vertex]++];
        if (state[from] == State::kOnPath) {
          return order;
        }
        if (state[from] == State::kNew) {
          push(from);
        }
        continue;
      }
      path.pop_back();
      order.push_back(vertex);
      state[vertex] = State::kThere;
      for (const Vertex to : behind_.of(vertex)) {
        if (--waits_for[to] == 0 && is_waiting[to] && state[to] == State::kNew) {
          push(to);
        }
      }
    }
  }
  return order;
}

std::vector<OrderDraft::Vertex> OrderDraft::sorted_by_layers() const {
  std::vector<std::uint32_t> waits_for(vertex_count_);
  std::vector<Vertex> order;
  order.reserve(vertex_count_);
  for (Vertex vertex = 0; vertex < vertex_count_; ++vertex) {
    waits_for[vertex] = static_cast<std::uint32_t>(before_.of(vertex).size());
    if (waits_for[vertex] == 0) {
      order.push_back(vertex);
    }
  }
  std::size_t layer_begin = 0;
  while (layer_begin < order.size()) {  // a layer's predecessors are in earlier layers
    const std::size_t layer_end = order.size();
    for (; layer_begin < layer_end; ++layer_begin) {
      for (const Vertex to : behind_.of(order[layer_begin])) {
        if (--waits_for[to] == 0) {
          order.push_back(to);
        }
      }
    }
    std::ranges::sort(order.begin() + static_cast<std::ptrdiff_t>(layer_end), order.end());
  }
  return order;
}

}  // namespace elapid::replay
