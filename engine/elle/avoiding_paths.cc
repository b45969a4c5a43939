#include "engine/elle/avoiding_paths.h"

#include <algorithm>

#include "engine/infer/order.h"

namespace elapid::elle {

AvoidingPaths::AvoidingPaths(const History& history)
    : history_(history),
      predecessors_(history.txn_count()),
      touched_(history.txn_count(), 0),
      known_(history.txn_count(), 0),
      reached_by_(history.txn_count()),
      collected_(history.txn_count(), false) {
  std::vector<bool> possible(history.txn_count());
  for (std::uint32_t t = 0; t < possible.size(); ++t) {
    possible[t] = history.has_completion({t}) && history.status({t}) != TxnStatus::kAborted;
  }
  std::vector<LabelledEdge> edges;
  add_realtime_edges(
      history, EventOrder(history), possible, [](TxnId, TxnId) { return true; }, edges);
  for (const LabelledEdge& edge : edges) {
    predecessors_[edge.to].push_back({edge.from});
  }
}

void AvoidingPaths::start(std::span<const TxnId> touching) {
  ++key_;
  first_completion_ = EventId::none();
  for (const TxnId txn : touching) {
    if (history_.committed(txn)) {
      touched_[txn.index()] = key_;
      first_completion_ = std::min(first_completion_, history_.completion_id(txn));
    }
  }
}

const AvoidingPaths::TxnSet& AvoidingPaths::nearest_before(TxnId txn) {
  stack_.assign(1, txn);
  while (!stack_.empty()) {
    const TxnId at = stack_.back();
    const std::size_t before = stack_.size();
    for (const TxnId p : predecessors_[at.index()]) {
      if (passes(p) && known_[p.index()] != key_) {
        stack_.push_back(p);
      }
    }
    if (stack_.size() == before) {
      reached_by_[at.index()] = collect(at);
      known_[at.index()] = key_;
      stack_.pop_back();
    }
  }
  return reached_by_[txn.index()];
}

/// Whether paths may go through it, and anything on the key can lie before it.
bool AvoidingPaths::passes(TxnId txn) const {
  return touched_[txn.index()] != key_ && history_.has_invocation(txn) &&
         first_completion_ < history_.invocation_id(txn);
}

AvoidingPaths::TxnSet AvoidingPaths::collect(TxnId at) {
  TxnSet all;
  const auto add = [&](TxnId txn) {
    if (!collected_[txn.index()]) {
      collected_[txn.index()] = true;
      all.push_back(txn);
    }
  };
  for (const TxnId p : predecessors_[at.index()]) {
    if (touched_[p.index()] == key_) {
      add(p);
    } else if (passes(p)) {
      const TxnSet& through = reached_by_[p.index()];
      std::for_each(through.begin(), through.end(), add);
    }
  }
  for (const TxnId txn : all) {
    collected_[txn.index()] = false;
  }
  return all;
}

}  // namespace elapid::elle
