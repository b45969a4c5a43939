#include "engine/replay/moment_repair.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "engine/graph/incremental_order.h"

namespace elapid::replay {

namespace {

/// The number of commits to look at for moments that fit: a multiple of the transactions, and a
/// least number for each failed one.
constexpr std::size_t kMomentsLookedAt = 50;
constexpr std::size_t kLeastLookedAt = 100;

/// The number of runs for which an edge is supposed.
constexpr std::size_t kRunsSupposed = 4;

/// The number of events and edges to look at for cycles, as a multiple of all.
constexpr std::uint64_t kLookedAtForCycles = 5;

}  // namespace

MomentRepair::MomentRepair(const History& history, OrderDraft& draft)
    : history_(history), draft_(draft), known_edges_(draft.edges().size()) {}

void MomentRepair::forget() {
  draft_.keep_first(known_edges_);
  supposed_.clear();
}

/// Moves snapshots to moments where they fit. A snapshot that fits nowhere is held where the fewest
/// rows differ. False if nothing can be changed.
bool MomentRepair::repair(const OrderTrial& trial) {
  std::vector<TxnId> failed(trial.failed().begin(), trial.failed().end());
  for (const Overlap& overlap : trial.overlaps()) {
    failed.push_back(overlap.second);
  }
  std::ranges::sort(failed, {}, [this](TxnId txn) { return draft_.position(draft_.start(txn)); });
  failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
  const std::size_t farthest = std::max<std::size_t>(
      kLeastLookedAt, kMomentsLookedAt * history_.txn_count() / failed.size());
  ++runs_;
  NearestMoment moments(history_, draft_, trial);
  std::vector<Moment> held;
  bool has_new = false;
  for (const TxnId txn : failed) {
    std::optional<Moment> moment = moments.find(txn, farthest);
    if (!moment) {
      continue;
    }
    if (moment->fits && draft_.is_snapshot(draft_.start(txn))) {
      draft_.place(draft_.start(txn), moment->position);
      has_new = true;
    } else {
      held.push_back(*std::move(moment));
    }
  }
  return hold(held) || has_new;
}

/// Adds the known edges, and the edges of moments that close no cycle. What an edge has moved stays
/// in place, so a supposed edge is needed for some runs only. If a moment names a transaction that
/// another moment moves, it waits for the next run, since it may change.
bool MomentRepair::hold(const std::vector<Moment>& moments) {
  draft_.keep_first(known_edges_);
  for (const Moment& moment : moments) {
    for (const auto& [from, to] : moment.known) {
      draft_.add(from, to);
    }
  }
  bool has_new = draft_.edges().size() > known_edges_;
  known_edges_ = draft_.edges().size();
  std::erase_if(supposed_,
                [this](const auto& edge) { return edge.second + kRunsSupposed <= runs_; });
  for (const auto& [edge, run] : supposed_) {
    draft_.add(edge.first, edge.second);
  }
  if (has_new || moments.empty()) {
    return has_new;
  }
  IncrementalOrder order(draft_.vertex_count(), draft_.edges(), draft_.order());
  std::unordered_set<TxnId> moved;
  const auto is_moved = [&](const OrderDraft::Edge& edge) {
    return moved.contains(draft_.event(edge.first).txn) ||
           moved.contains(draft_.event(edge.second).txn);
  };
  const auto add = [&](const Moment::Edges& edges) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!order.insert(edges[i].first, edges[i].second)) {
        for (; i > 0; --i) {
          order.remove_last();
        }
        return false;
      }
    }
    for (const OrderDraft::Edge& edge : edges) {
      draft_.add(edge.first, edge.second);
      supposed_.emplace_back(edge, runs_);
      moved.insert({draft_.event(edge.first).txn, draft_.event(edge.second).txn});
    }
    has_new = has_new || !edges.empty();
    return true;
  };
  const std::uint64_t most = kLookedAtForCycles * (draft_.vertex_count() + draft_.edges().size());
  for (const Moment& moment : moments) {
    if (has_new && order.work() > most) {
      break;
    }
    if (std::ranges::none_of(moment.edges, is_moved) && !add(moment.edges)) {
      add(moment.otherwise);
    }
  }
  return has_new;
}

}  // namespace elapid::replay
