#include "engine/elle/downstream.h"

#include <algorithm>

#include "engine/elle/champ_order.h"
#include "engine/elle/record_hash.h"
#include "engine/graph/digraph.h"
#include "engine/infer/order.h"

namespace elapid::elle {

Downstream::Downstream(const History& history)
    : history_(history),
      first_predecessor_(history.txn_count()),
      hashes_(history.txn_count(), 0),
      place_(history.txn_count(), kNoPlace),
      set_(history.txn_count()) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.has_completion({t})) {
      hashes_[t] = champ_mix(static_cast<std::int32_t>(record_hash(history, {t})));
    }
  }
  find_successors();
}

/// Aborted transactions have no sets, but take part in the order of the others.
void Downstream::find_successors() {
  std::vector<bool> completed(history_.txn_count());
  for (std::uint32_t t = 0; t < completed.size(); ++t) {
    completed[t] = history_.has_completion({t});
  }
  std::vector<LabelledEdge> edges;
  add_realtime_edges(
      history_, EventOrder(history_), completed, [](TxnId, TxnId) { return true; }, edges);
  const Digraph graph(history_.txn_count(), edges);
  successors_.reserve(graph.edge_count());
  std::vector<std::int64_t> indices;
  for (std::uint32_t t = 0; t < graph.vertex_count(); ++t) {
    indices.clear();
    for (std::uint32_t edge = graph.row_begin(t); edge < graph.row_end(t); ++edge) {
      const TxnId to{graph.target(edge)};
      indices.push_back(history_.event_index(history_.completion_id(to)));
      first_predecessor_[to.index()] = std::min(first_predecessor_[to.index()], TxnId{t});
    }
    for (const std::uint32_t position : champ_order(indices)) {
      successors_.push_back({graph.target(graph.row_begin(t) + position)});
    }
    begin_.push_back(static_cast<std::uint32_t>(successors_.size()));
  }
}

void Downstream::each_link(std::span<const TxnId> touching,
                           const std::function<void(std::uint32_t, std::uint32_t)>& link) {
  if (touching.size() < 2) {
    return;
  }
  start(touching);
  TxnId reached{touching.back().value + 1};
  while (reached.value > 0 && !(reached <= touching.front() && settled(reached))) {
    --reached.value;
    const SetId set = set_[reached.index()] = downstream(reached);
    if (!set.is_none() || place_[reached.index()] != kNoPlace) {
      live_.push_back(reached);
    }
  }
  for (std::uint32_t earlier = 0; earlier < touching.size(); ++earlier) {
    if (const SetId set = set_[touching[earlier].index()]; !set.is_none()) {
      sets_.each(set, [&](std::uint32_t later) { link(earlier, later); });
    }
  }
  finish(touching.back(), reached);
}

void Downstream::start(std::span<const TxnId> touching) {
  element_hashes_.clear();
  live_.clear();
  for (const TxnId txn : touching) {
    place_[txn.index()] = static_cast<std::uint32_t>(element_hashes_.size());
    element_hashes_.push_back(hashes_[txn.index()]);
  }
  sets_.reset(element_hashes_);
}

void Downstream::finish(TxnId last, TxnId reached) {
  for (std::uint32_t t = reached.value; t <= last.value; ++t) {
    place_[t] = kNoPlace;
    set_[t] = SetId::none();
  }
}

/// The set of a transaction whose successors have theirs. No other set shares what this step makes.
/// So one owner and one root serve for the step, where Elle makes new ones.
Downstream::SetId Downstream::downstream(TxnId txn) {
  const SharedTries::Owner owner = SharedTries::kFirstOwner + txn.value;
  SetId all;
  bool is_new = false;
  for (std::uint32_t i = begin_[txn.index()]; i < begin_[txn.index() + 1]; ++i) {
    const TxnId to = successors_[i];
    const std::uint32_t place = place_[to.index()];
    const SetId through = set_[to.index()];
    if (place != kNoPlace) {
      all = sets_.add(all.is_none() ? SharedTries::empty() : all, place, owner);
      is_new = true;
    } else if (is_new && !through.is_none()) {
      sets_.absorb(all, through);
    } else if (!through.is_none()) {
      is_new = !all.is_none();
      all = is_new ? sets_.unite(all, through) : through;
    }
  }
  return all;
}

/// Whether the walk over the transactions before `next`, which do not touch the key, would change
/// no set. It would not if the sets from which it starts hold the same elements.
bool Downstream::settled(TxnId next) {
  std::erase_if(live_, [&](TxnId txn) { return first_predecessor_[txn.index()] >= next; });
  return std::all_of(live_.begin(), live_.end(), [&](TxnId txn) {
    return place_[txn.index()] == kNoPlace &&
           sets_.alike(set_[txn.index()], set_[live_.front().index()]);
  });
}

}  // namespace elapid::elle
