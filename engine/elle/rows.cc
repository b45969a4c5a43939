// Elle's analysis of a closed-predicate history: the versions that predicates certainly selected,
// and the dependencies that follow.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "engine/elle/analysis.h"
#include "engine/elle/row_versions.h"

namespace elapid::elle {

namespace {

using rows::RowOp;
using rows::RowOpKind;

/// An operation and where it stands.
struct PlacedOp {
  std::int32_t mop = 0;
  const RowOp* op = nullptr;
};

class RowGraph {
 public:
  explicit RowGraph(const History& history) : history_(history), versions_(history) {}

  [[nodiscard]] const RowVersions& versions() const { return versions_; }

  [[nodiscard]] const History& history() const { return history_; }

  void add_edges(Inference& graph) {
    for (const TxnId txn : versions_.possible()) {
      add_writes(txn, graph);
      if (history_.committed(txn)) {
        each_of(txn, RowOpKind::kRead, [&](PlacedOp read) { add_read(txn, *read.op, graph); });
        each_of(txn, RowOpKind::kPredicateRead,
                [&](PlacedOp read) { add_predicate(txn, *read.op, graph); });
      }
    }
  }

  /// Calls `visit(PlacedOp)` for the operations of this kind.
  template <class Visit>
  void each_of(TxnId txn, RowOpKind kind, Visit visit) const {
    const std::span<const Op> ops = history_.ops(txn);
    for (std::size_t mop = 0; mop < ops.size(); ++mop) {
      const RowOp& op = versions_.op(ops[mop]);
      if (op.kind == kind) {
        visit(PlacedOp{static_cast<std::int32_t>(mop), &op});
      }
    }
  }

 private:
  static void add(TxnId from, TxnId to, EdgeLabel label, Inference& graph) {
    if (!from.is_none() && !to.is_none() && from != to) {
      graph.edges.push_back({from.value, to.value, label});
    }
  }

  /// Elle forgets writes that are no inserts.
  void add_writes(TxnId txn, Inference& graph) const {
    for (const Op op : history_.ops(txn)) {
      const RowOp& write = versions_.op(op);
      if (write.kind == RowOpKind::kInsert || write.kind == RowOpKind::kDelete) {
        if (const auto before = versions_.before(write.row, *versions_.written_by(op))) {
          add(versions_.writer(write.row, *before), txn, kWwEdge, graph);
        }
      }
    }
  }

  void add_read(TxnId txn, const RowOp& read, Inference& graph) const {
    const auto shown = versions_.shown(read);
    if (!shown) {
      return;
    }
    add(versions_.writer(read.row, *shown), txn, kWrEdge, graph);
    if (const auto next = versions_.after(read.row, *shown)) {
      add(txn, versions_.writer(read.row, *next), kRwEdge, graph);
    }
  }

  void add_predicate(TxnId txn, const RowOp& read, Inference& graph) const {
    for (const auto& [row, version] : versions_.selected(read)) {
      add(versions_.writer(row, version), txn, kWrpEdge, graph);
      for (const RowVersion later : versions_.all_after(row, version)) {
        if (versions_.matches(read, version) != versions_.matches(read, later)) {
          add(txn, versions_.writer(row, later), kRwpEdge, graph);
        }
      }
    }
  }

  const History& history_;
  RowVersions versions_;
};

class RowExplainer final : public Explainer {
 public:
  explicit RowExplainer(std::shared_ptr<const RowGraph> graph)
      : graph_(std::move(graph)), versions_(graph_->versions()) {}

  [[nodiscard]] std::optional<Step> explain(TxnId from, TxnId to,
                                            Relation relation) const override {
    if (relation == Relation::kWw) {
      return overwritten(from, to);
    }
    return relation == Relation::kWr ? read(from, to) : missed(from, to);
  }

 private:
  using Writes = std::vector<std::pair<KeyId, RowVersion>>;

  static bool has(const Writes& writes, KeyId row, RowVersion version) {
    return std::ranges::find(writes, std::pair(row, version)) != writes.end();
  }

  /// Elle does not know the version that a read of nil shows. If the transaction has not written
  /// the row, Elle compares nil with nil, and finds them equal.
  static bool is_nil_in_both(const Writes& writes, KeyId row) {
    return std::ranges::find(writes, row, &std::pair<KeyId, RowVersion>::first) == writes.end();
  }

  [[nodiscard]] ValueId value_of(RowVersion version) const {
    switch (version.state) {
      case RowVersion::State::kUnborn:
        return ValueId::none();
      case RowVersion::State::kDead:
        return graph_->history().values().find(":elle/dead");
      default:
        return version.value;
    }
  }

  [[nodiscard]] std::int32_t write_of(TxnId txn, KeyId row, RowVersion version) const {
    const std::span<const Op> ops = graph_->history().ops(txn);
    const auto found = std::ranges::find_if(ops, [&](Op op) {
      return versions_.op(op).row == row && versions_.written_by(op) == version;
    });
    return found == ops.end() ? -1 : static_cast<std::int32_t>(found - ops.begin());
  }

  [[nodiscard]] std::optional<Step> overwritten(TxnId from, TxnId to) const {
    const Writes earlier = versions_.final_writes(from);
    for (const auto& [row, version] : versions_.final_writes(to)) {
      const auto before = versions_.before(row, version);
      if (before && has(earlier, row, *before)) {
        return Step{.from = from,
                    .to = to,
                    .relation = Relation::kWw,
                    .key = row,
                    .value = value_of(*before),
                    .value_after = value_of(version),
                    .from_mop = write_of(from, row, *before),
                    .to_mop = write_of(to, row, version)};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Step> read(TxnId from, TxnId to) const {
    const Writes writes = versions_.final_writes(from);
    std::optional<Step> step;
    const auto take = [&](PlacedOp place, KeyId row, RowVersion version, bool by_predicate) {
      if (!step && has(writes, row, version)) {
        step = Step{.from = from,
                    .to = to,
                    .relation = Relation::kWr,
                    .key = row,
                    .value = value_of(version),
                    .from_mop = write_of(from, row, version),
                    .to_mop = place.mop,
                    .by_predicate = by_predicate};
      }
    };
    graph_->each_of(to, RowOpKind::kRead, [&](PlacedOp place) {
      const KeyId row = place.op->row;
      if (const auto shown = versions_.shown(*place.op)) {
        take(place, row, *shown, false);
      } else if (!step && is_nil_in_both(writes, row)) {
        step = Step{.from = from,
                    .to = to,
                    .relation = Relation::kWr,
                    .key = row,
                    .value = ValueId::nil(),
                    .to_mop = place.mop};
      }
    });
    graph_->each_of(to, RowOpKind::kPredicateRead, [&](PlacedOp place) {
      if (!step) {
        for (const auto& [row, version] : versions_.selected(*place.op)) {
          take(place, row, version, true);
        }
      }
    });
    return step;
  }

  [[nodiscard]] std::optional<Step> missed(TxnId from, TxnId to) const {
    const Writes writes = versions_.final_writes(to);
    std::optional<Step> step;
    const auto take = [&](PlacedOp place, KeyId row, RowVersion seen, RowVersion later,
                          bool by_predicate) {
      step = Step{.from = from,
                  .to = to,
                  .relation = Relation::kRw,
                  .key = row,
                  .value = value_of(seen),
                  .value_after = value_of(later),
                  .from_mop = place.mop,
                  .to_mop = write_of(to, row, later),
                  .by_predicate = by_predicate};
    };
    graph_->each_of(from, RowOpKind::kRead, [&](PlacedOp place) {
      const auto shown = step ? std::nullopt : versions_.shown(*place.op);
      const auto next = shown ? versions_.after(place.op->row, *shown) : std::nullopt;
      if (next && has(writes, place.op->row, *next)) {
        take(place, place.op->row, *shown, *next, false);
      }
    });
    graph_->each_of(from, RowOpKind::kPredicateRead, [&](PlacedOp place) {
      if (step) {
        return;
      }
      const VersionSet selected = versions_.selected(*place.op);
      for (const auto& [row, later] : writes) {
        const auto seen = std::ranges::find(selected, row, &std::pair<KeyId, RowVersion>::first);
        if (!step && seen != selected.end() && is_after(row, seen->second, later) &&
            versions_.matches(*place.op, seen->second) != versions_.matches(*place.op, later)) {
          take(place, row, seen->second, later, true);
        }
      }
    });
    return step;
  }

  [[nodiscard]] bool is_after(KeyId row, RowVersion version, RowVersion later) const {
    const std::span<const RowVersion> after = versions_.all_after(row, version);
    return std::ranges::find(after, later) != after.end();
  }

  std::shared_ptr<const RowGraph> graph_;
  const RowVersions& versions_;
};

/// Predicate reads that do not show a row although each of its versions matches.
void find_misses(const RowGraph& graph, std::vector<Anomaly>& out) {
  const RowVersions& versions = graph.versions();
  for (const TxnId txn : versions.possible()) {
    if (!graph.history().committed(txn)) {
      continue;
    }
    graph.each_of(txn, RowOpKind::kPredicateRead, [&](PlacedOp read) {
      for (const KeyId row : versions.written()) {
        const std::span<const RowVersion> all = versions.all(row);
        const bool must_match = std::ranges::all_of(
            all, [&](RowVersion version) { return versions.matches(*read.op, version); });
        if (must_match && !versions.found(*read.op, row)) {
          PredicateMissEvidence miss = {
              .reader = txn, .mop = static_cast<std::uint32_t>(read.mop), .row = row};
          for (const RowVersion version : all) {
            miss.versions.push_back(version.value);
          }
          out.push_back({AnomalyType::kPredicateReadMiss, std::move(miss)});
        }
      }
    });
  }
}

}  // namespace

Analysis analyze_rows(const History& history) {
  Analysis analysis;
  const auto graph = std::make_shared<RowGraph>(history);
  analysis.exception = graph->versions().exception();
  if (analysis.exception) {
    return analysis;
  }
  find_misses(*graph, analysis.anomalies);
  graph->add_edges(analysis.graph);
  analysis.has_vertices = !analysis.graph.edges.empty();
  analysis.graph.believed.resize(history.txn_count());
  for (const TxnId txn : graph->versions().possible()) {
    analysis.graph.believed[txn.index()] = true;
  }
  analysis.explainer = std::make_unique<RowExplainer>(graph);
  analysis.has_predicates = true;
  return analysis;
}

}  // namespace elapid::elle
