#include "engine/check/mix_inference.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/graph/scc.h"
#include "engine/infer/component_graph.h"
#include "engine/infer/inference.h"
#include "engine/solve/mix_reads.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

/// The most edges that all bundles of the inference may become.
constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 20;

/// The most edges that all searches for the shortest cycle look at.
constexpr std::size_t kSteps = std::size_t{1} << 22;

/// A dependency between two transactions of a component, and the events that it orders.
struct MixEdge {
  std::uint32_t from = 0;                 ///< event
  std::uint32_t to = 0;                   ///< event
  std::optional<Relation> relation = {};  ///< nothing: a transaction starts before it commits
};

/// The events of one component: 2v is the start of transaction v, 2v + 1 its commit.
class MixComponent {
 public:
  MixComponent(const History& history, const TxnLevels& levels, const Inference& inference,
               const ComponentGraph& component)
      : history_(history),
        levels_(levels),
        inference_(inference),
        txns_(component.txns),
        graph_(component.graph) {
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      edges_.push_back({start(v), commit(v)});
      for (std::uint32_t e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
        add(v, graph_.target(e), graph_.label(e));
      }
    }
    std::erase_if(edges_, [](const MixEdge& edge) { return edge.from == edge.to; });
  }

  /// The shortest cycle with fewer than `limit` edges that `steps` allow to find.
  [[nodiscard]] std::vector<MixEdge> shortest_cycle(std::size_t limit, std::size_t& steps) {
    std::vector<MixEdge> shortest = visible_cycle(limit, steps);
    limit = shortest.empty() ? limit : shortest.size();
    const std::uint32_t events = 2 * graph_.vertex_count();
    const Adjacency successors(events, edges_,
                               [](const MixEdge& edge) { return std::pair(edge.from, edge.to); });
    const Components rings = strong_components(events, successors);
    const Adjacency places =
        places_by_row(events, edges_, [](const MixEdge& edge) { return edge.from; });
    for (const std::vector<std::uint32_t>& ring : rings.groups()) {
      for (std::size_t i = 0; i < ring.size() && steps > 0 && limit > 2; ++i) {
        std::vector<MixEdge> cycle =
            path(ring[i], ring[i], limit, steps, [&](std::uint32_t event, auto visit) {
              for (const std::uint32_t e : places.of(event)) {
                if (rings.of[edges_[e].to] == rings.of[ring[i]]) {
                  visit(edges_[e]);
                }
              }
            });
        if (!cycle.empty()) {
          limit = cycle.size();
          shortest = std::move(cycle);
        }
      }
    }
    return shortest;
  }

  /// The edges between transactions.
  [[nodiscard]] std::vector<Step> explained(std::span<const MixEdge> cycle) const {
    std::vector<Step> steps;
    for (const MixEdge& edge : cycle) {
      if (edge.relation) {
        steps.push_back(explain(edge.from / 2, edge.to / 2, *edge.relation));
      }
    }
    return steps;
  }

 private:
  [[nodiscard]] OrderLevel level(std::uint32_t v) const { return levels_.of(txns_[v]); }

  /// Where a level has no snapshot, the commit stands for the start.
  [[nodiscard]] std::uint32_t start(std::uint32_t v) const {
    return has_two_events(level(v).visibility) ? 2 * v : commit(v);
  }

  [[nodiscard]] static std::uint32_t commit(std::uint32_t v) { return 2 * v + 1; }

  [[nodiscard]] Step explain(std::uint32_t v, std::uint32_t to, Relation relation) const {
    return relation <= Relation::kRw
               ? inference_.explainer->explain(txns_[v], txns_[to], relation)
               : Step{.from = txns_[v], .to = txns_[to], .relation = relation};
  }

  void add(std::uint32_t v, std::uint32_t to, EdgeLabel label) {
    if ((label & kWrEdge) != 0 && !levels_.reads_anything(txns_[to])) {
      edges_.push_back({commit(v), start(to), Relation::kWr});
    } else if ((label & kWwEdge) != 0 && history_.has_lists()) {
      const bool is_snapshot = level(to).visibility == Visibility::kSnapshot;
      edges_.push_back({commit(v), is_snapshot ? start(to) : commit(to), Relation::kWw});
    }
    if ((label & kRwEdge) != 0 && is_bound(v, to)) {
      edges_.push_back({start(v), commit(to), Relation::kRw});
    }
    if ((label & kProcessEdge) != 0 && level(to).sessions) {
      edges_.push_back({commit(v), start(to), Relation::kProcess});
    } else if ((label & kRealtimeEdge) != 0 && level(to).real_time) {
      edges_.push_back({commit(v), start(to), Relation::kRealtime});
    }
  }

  /// Whether an overwritten read puts the reader before the overwriter, by the reader's level.
  [[nodiscard]] bool is_bound(std::uint32_t reader, std::uint32_t to) const {
    switch (level(reader).visibility) {
      case Visibility::kSerial:
      case Visibility::kSnapshot:
      case Visibility::kPrefix:
        return true;
      case Visibility::kCursor: {
        const KeyId key = explain(reader, to, Relation::kRw).key;
        return std::ranges::any_of(history_.ops(txns_[reader]),
                                   [&](const Op op) { return op.is_write() && op.key() == key; });
      }
      default:
        return false;
    }
  }

  /// A shortest cycle of a weak reader with a version that it missed, although reads and sessions
  /// make it visible to it.
  [[nodiscard]] std::vector<MixEdge> visible_cycle(std::size_t limit, std::size_t& steps) {
    std::vector<MixEdge> shortest;
    for (std::uint32_t v = 0; v < graph_.vertex_count() && steps > 0 && limit > 2; ++v) {
      const Visibility visibility = level(v).visibility;
      const bool is_direct =
          visibility == Visibility::kReadAtomic || visibility == Visibility::kReadCommitted;
      if (!is_direct && visibility != Visibility::kCausal) {
        continue;
      }
      for (std::uint32_t e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
        if ((graph_.label(e) & kRwEdge) == 0) {
          continue;
        }
        const std::size_t longest = is_direct ? std::min<std::size_t>(limit, 3) : limit;
        std::vector<MixEdge> cycle =
            path(commit(graph_.target(e)), commit(v), longest - 1, steps,
                 [this](std::uint32_t event, auto visit) { each_visible(event / 2, visit); });
        if (!cycle.empty()) {
          cycle.insert(cycle.begin(), {commit(v), commit(graph_.target(e)), Relation::kRw});
          limit = cycle.size();
          shortest = std::move(cycle);
        }
      }
    }
    return shortest;
  }

  /// The edges by which others see `v` and what it saw.
  template <class Visit>
  void each_visible(std::uint32_t v, Visit visit) const {
    for (std::uint32_t e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
      const std::uint32_t to = graph_.target(e);
      const EdgeLabel label = graph_.label(e);
      if ((label & kWrEdge) != 0 && !levels_.reads_anything(txns_[to])) {
        visit(MixEdge{commit(v), commit(to), Relation::kWr});
      } else if ((label & kProcessEdge) != 0 && level(to).sessions) {
        visit(MixEdge{commit(v), commit(to), Relation::kProcess});
      }
    }
  }

  /// The shortest path of at least one and less than `limit` edges; empty if there is none.
  template <class EachEdge>
  [[nodiscard]] std::vector<MixEdge> path(std::uint32_t from, std::uint32_t to, std::size_t limit,
                                          std::size_t& steps, EachEdge each_edge) {
    struct Reached {
      MixEdge by;
      std::size_t before;
      std::size_t depth;
    };

    steps -= steps > 0 ? 1U : 0U;
    seen_.resize(2 * std::size_t{graph_.vertex_count()});
    ++round_;
    std::vector<Reached> queue;
    std::size_t end = kUnseen;
    const auto leave = [&](std::uint32_t event, std::size_t before, std::size_t depth) {
      each_edge(event, [&](const MixEdge& edge) {
        steps -= steps > 0 ? 1U : 0U;
        if (end == kUnseen && seen_[edge.to] != round_) {
          seen_[edge.to] = round_;
          queue.push_back({edge, before, depth});
          end = edge.to == to ? queue.size() - 1 : end;
        }
      });
    };
    leave(from, kUnseen, 1);
    for (std::size_t i = 0; i < queue.size() && end == kUnseen && steps > 0; ++i) {
      if (queue[i].depth + 1 < limit) {
        leave(queue[i].by.to, i, queue[i].depth + 1);
      }
    }
    std::vector<MixEdge> edges;
    for (std::size_t at = end; at != kUnseen; at = queue[at].before) {
      edges.push_back(queue[at].by);
    }
    std::ranges::reverse(edges);
    return edges;
  }

  const History& history_;
  const TxnLevels& levels_;
  const Inference& inference_;
  const std::vector<TxnId>& txns_;
  const Digraph& graph_;
  std::vector<MixEdge> edges_;
  std::vector<std::uint32_t> seen_;  // by event: the last search for a path that reached it
  std::uint32_t round_ = 0;
};

/// The last transaction that wrote each of these values of keys and did not abort; none() where
/// there is none, as for initial values.
std::vector<TxnId> writers_of(const History& history,
                              std::span<const std::pair<KeyId, ValueId>> versions) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, TxnId> writer_of;
  for (const auto& [key, value] : versions) {
    writer_of[{key.value, value.bits()}] = TxnId::none();
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const Op op : history.ops(txn)) {
      const auto at =
          op.is_write() ? writer_of.find({op.key().value, op.value().bits()}) : writer_of.end();
      if (at != writer_of.end() && history.status(txn) != TxnStatus::kAborted) {
        at->second = txn;
      }
    }
  }
  std::vector<TxnId> writers;
  for (const auto& [key, value] : versions) {
    writers.push_back(writer_of.at({key.value, value.bits()}));
  }
  return writers;
}

/// For registers: `txn` read what `source` wrote and overwrote it, so `txn` comes later.
void add_overwriting(const History& history, TxnId source, TxnId txn, KeyId key,
                     Refutation& refutation) {
  if (!source.is_none() && !history.has_lists()) {
    refutation.steps.push_back(
        {.clause = {{.first = source, .second = txn}},
         .cycle = {{txn, source, Relation::kWw, key}, {source, txn, Relation::kWr, key}}});
  }
}

Refutation proof_of(const History& history, std::span<const Step> steps) {
  std::vector<std::pair<KeyId, ValueId>> versions;
  for (const Step& step : steps) {
    versions.emplace_back(step.key, step.relation == Relation::kRw ? step.value : ValueId::none());
  }
  const std::vector<TxnId> overwritten = writers_of(history, versions);
  Refutation refutation;
  ProofStep last;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    last.cycle.push_back({step.from, step.to, step.relation, step.key, overwritten[i]});
    if (step.relation == Relation::kRw) {
      add_overwriting(history, overwritten[i], step.to, step.key, refutation);
    }
  }
  refutation.steps.push_back(std::move(last));
  return refutation;
}

/// Two transactions that read one version and wrote the key. The levels of both forbid to be the
/// later one.
std::optional<Refutation> refute_by_lost_update(const History& history, const TxnLevels& levels,
                                                const LostUpdateEvidence& lost) {
  std::vector<TxnId> bound = lost.txns;
  std::erase_if(bound, [&](TxnId txn) {
    const Visibility visibility = levels.of(txn).visibility;
    return visibility != Visibility::kSerial && visibility != Visibility::kSnapshot &&
           visibility != Visibility::kCursor;
  });
  if (bound.size() < 2 || history.has_lists()) {
    return std::nullopt;
  }
  const std::pair version(lost.key, history.ops(lost.txns.front())[lost.mop].value());
  const TxnId source = writers_of(history, {&version, 1}).front();
  const TxnId one = bound[0];
  const TxnId other = bound[1];
  Refutation refutation;
  add_overwriting(history, source, one, lost.key, refutation);
  add_overwriting(history, source, other, lost.key, refutation);
  refutation.steps.push_back({.clause = {{.first = one, .second = other}},
                              .cycle = {{other, one, Relation::kWw, lost.key},
                                        {one, other, Relation::kRw, lost.key, source}}});
  refutation.steps.push_back({.clause = {},
                              .cycle = {{one, other, Relation::kWw, lost.key},
                                        {other, one, Relation::kRw, lost.key, source}}});
  return refutation;
}

std::optional<Refutation> refute(const History& history, const TxnLevels& levels,
                                 const Inference& inference,
                                 std::span<const ComponentGraph> components,
                                 const std::function<bool()>& keep_going) {
  std::size_t steps = kSteps;
  std::size_t limit = kUnseen;
  std::vector<Step> shortest;
  for (const ComponentGraph& component : components) {
    if (keep_going && !keep_going()) {
      return std::nullopt;
    }
    MixComponent mix(history, levels, inference, component);
    if (const std::vector<MixEdge> cycle = mix.shortest_cycle(limit, steps); !cycle.empty()) {
      limit = cycle.size();
      shortest = mix.explained(cycle);
    }
  }
  if (!shortest.empty()) {
    return proof_of(history, shortest);
  }
  std::optional<Refutation> lost;
  for (std::size_t i = 0; i < inference.anomalies.size() && !lost; ++i) {
    const auto* update = std::get_if<LostUpdateEvidence>(&inference.anomalies[i].evidence);
    lost = update != nullptr ? refute_by_lost_update(history, levels, *update) : std::nullopt;
  }
  return lost;
}

bool single_reads_are_wrong(const History& history, const TxnLevels& levels) {
  const MixReads reads(history, levels);
  return !reads.anomalies().empty() || reads.has_unnamed() || reads.has_odd_reads();
}

}  // namespace

MixInference infer_mix(const History& history, const TxnLevels& levels,
                       const Assumptions& assumptions, const std::function<bool()>& keep_going) {
  const ExternalOrders orders = {levels.any([](OrderLevel level) { return level.sessions; }),
                                 levels.any([](OrderLevel level) { return level.real_time; })};
  if (orders.realtime && !history.info().has_real_time) {
    return {};
  }
  Assumptions assumed = assumptions;
  assumed.wfr_keys = true;  // the transaction that was read from commits before the reader
  const Inference inference = row_of(history.workload()).infer(history, assumed, [&] {
    return !keep_going || keep_going();
  });
  if (inference.explainer == nullptr || inference.elle_error) {
    return {};
  }
  const auto components = component_graphs(history, inference, orders, kMostPairs);
  if (components.empty() && inference.anomalies.empty()) {
    return {.holds = inference.version_orders_total || inference.version_orders_serial};
  }
  if (!inference.anomalies.empty() && single_reads_are_wrong(history, levels)) {
    return {};
  }
  return {.refutation = refute(history, levels, inference, components, keep_going)};
}

}  // namespace elapid
