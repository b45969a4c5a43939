// The order in which Elle analyses an rw-register history, the operations that it refuses, and the
// anomalies that need no cycle.
#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "engine/elle/analysis.h"
#include "engine/elle/lost_update.h"
#include "engine/elle/register_versions.h"
#include "engine/elle/value_hash.h"
#include "engine/elle/version_graphs.h"
#include "engine/elle/writes.h"
#include "engine/graph/digraph.h"

namespace elapid::elle {

namespace {

// Dependencies between transactions of a register history as Elle infers them (docs/elle-rules.md),
// and their reasons.

class EdgeMaker {
 public:
  EdgeMaker(const RegisterVersions& versions, const Digraph& graph, Analysis& analysis)
      : versions_(versions), graph_(graph), analysis_(analysis) {}

  void run() {
    for (std::uint32_t v = 0; v < versions_.count(); ++v) {
      add_wr({v});
      if (versions_.value({v}).is_nil()) {
        add_initial({v});
      } else {
        add_successors({v});
      }
    }
  }

 private:
  void add_wr(VersionId version) {
    if (versions_.writers(version).size() != 1) {
      return;
    }
    const TxnId writer = versions_.writers(version).front();
    for (const TxnId reader : versions_.readers(version)) {
      analysis_.graph.edges.push_back({writer.value, reader.value, kWrEdge});
      analysis_.has_vertices = true;
    }
  }

  /// Elle links all to all, and then removes the edges from a transaction to itself: vertices stay.
  void add_product(std::span<const TxnId> from, std::span<const TxnId> to, EdgeLabel label) {
    analysis_.has_vertices = analysis_.has_vertices || (!from.empty() && !to.empty());
    for (const TxnId a : from) {
      for (const TxnId b : to) {
        if (a != b) {
          analysis_.graph.edges.push_back({a.value, b.value, label});
        }
      }
    }
  }

  void add_successors(VersionId version) {
    for (std::uint32_t e = graph_.row_begin(version.value); e < graph_.row_end(version.value);
         ++e) {
      const std::span<const TxnId> writers = versions_.writers({graph_.target(e)});
      add_product(versions_.writers(version), writers, kWwEdge);
      add_product(versions_.readers(version), writers, kRwEdge);
    }
  }

  /// The initial state has as many successors as the key has versions.
  void add_initial(VersionId initial) {
    RwBundle bundle;
    for (std::uint32_t e = graph_.row_begin(initial.value); e < graph_.row_end(initial.value);
         ++e) {
      const std::span<const TxnId> writers = versions_.writers({graph_.target(e)});
      bundle.writers.insert(bundle.writers.end(), writers.begin(), writers.end());
    }
    const std::span<const TxnId> readers = versions_.readers(initial);
    bundle.readers.assign(readers.begin(), readers.end());
    std::sort(bundle.writers.begin(), bundle.writers.end());
    add_product(versions_.writers(initial), bundle.writers, kWwEdge);
    analysis_.has_vertices =
        analysis_.has_vertices || (!bundle.readers.empty() && !bundle.writers.empty());
    add_bundle(std::move(bundle), analysis_.graph);
  }

  const RegisterVersions& versions_;
  const Digraph& graph_;
  Analysis& analysis_;
};

class RegisterExplainer final : public Explainer {
 public:
  RegisterExplainer(const History& history, std::shared_ptr<const RegisterVersions> versions,
                    Digraph graph)
      : history_(history), versions_(std::move(versions)), graph_(std::move(graph)) {}

  [[nodiscard]] std::optional<Step> explain(TxnId from, TxnId to,
                                            Relation relation) const override {
    for (const KeyId key : keys_of(from, relation == Relation::kRw)) {
      const RegisterOp* a = versions_->ops().find(from, key);
      const RegisterOp* b = versions_->ops().find(to, key);
      auto step = b != nullptr ? explain_on_key(*a, *b, relation) : std::nullopt;
      if (step) {
        step->from = from;
        step->to = to;
        add_mops(*step);
        return step;
      }
    }
    return std::nullopt;
  }

 private:
  /// The keys that the transaction read from others, or those that it wrote, as Elle's map of them
  /// iterates.
  [[nodiscard]] std::vector<KeyId> keys_of(TxnId txn, bool are_read) const {
    std::vector<KeyId> keys;
    for (const Op op : history_.ops(txn)) {
      const RegisterOp* found = versions_->ops().find(txn, op.key());
      const bool is_meant = found != nullptr &&
                            op.kind() == (are_read ? OpKind::kRead : OpKind::kWrite) &&
                            !(are_read ? found->read : found->write).is_none();
      if (is_meant && std::ranges::find(keys, op.key()) == keys.end()) {
        keys.push_back(op.key());
      }
    }
    sort_as_map(history_, keys);
    return keys;
  }

  [[nodiscard]] std::optional<Step> explain_on_key(const RegisterOp& a, const RegisterOp& b,
                                                   Relation relation) const {
    Step step{.from = {}, .to = {}, .relation = relation, .key = a.key};
    step.value = relation == Relation::kRw ? a.read : a.write;
    if (step.value.is_none()) {
      return std::nullopt;
    }
    if (relation == Relation::kWr) {
      return step.value == b.read ? std::optional(step) : std::nullopt;
    }
    step.value_after = b.write;
    const bool is_truthy = !b.write.is_none() && history_.values().truthy(b.write);
    return is_truthy && precedes(a.key, step.value, b.write) ? std::optional(step) : std::nullopt;
  }

  [[nodiscard]] bool precedes(KeyId key, ValueId before, ValueId after) const {
    const VersionId a = versions_->find(key, before);
    const VersionId b = versions_->find(key, after);
    return !a.is_none() && !b.is_none() && graph_.label_between(a.value, b.value) != 0;
  }

  void add_mops(Step& step) const {
    const bool is_wr = step.relation == Relation::kWr;
    const bool is_rw = step.relation == Relation::kRw;
    step.from_mop = find(step.from, is_rw ? OpKind::kRead : OpKind::kWrite, step.key, step.value);
    step.to_mop = is_wr ? find(step.to, OpKind::kRead, step.key, step.value)
                        : find(step.to, OpKind::kWrite, step.key, step.value_after);
  }

  [[nodiscard]] std::int32_t find(TxnId txn, OpKind kind, KeyId key, ValueId value) const {
    const std::span<const Op> ops = history_.ops(txn);
    const auto found = std::ranges::find_if(ops, [&](Op op) {
      const bool is_same =
          op.value() == value || (value.is_nil() && op.value() == history_.info().initial);
      return op.kind() == kind && op.key() == key && is_same;
    });
    return found == ops.end() ? -1 : static_cast<std::int32_t>(found - ops.begin());
  }

  const History& history_;
  std::shared_ptr<const RegisterVersions> versions_;
  Digraph graph_;
};

/// Fills in the edges and has_vertices of `analysis`: wr from unique writers, from a transaction to
/// itself included; ww and rw for each edge of the version graph. Linear in versions and edges; the
/// readers of a key's initial state are kept as a bundle.
void add_register_edges(const RegisterVersions& versions, const Digraph& version_graph,
                        Analysis& analysis) {
  EdgeMaker(versions, version_graph, analysis).run();
}

/// Explains those edges, but for those that lead to a write of nil or false, as Elle. The history
/// is borrowed.
std::unique_ptr<Explainer> register_explainer(const History& history,
                                              std::shared_ptr<const RegisterVersions> versions,
                                              Digraph version_graph) {
  return std::make_unique<RegisterExplainer>(history, std::move(versions),
                                             std::move(version_graph));
}

/// Elle looks for operations of another kind where it follows what a committed transaction did. In
/// others it takes them for writes.
std::optional<std::string> foreign_to_registers(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const Op op : history.committed(txn) ? history.ops(txn) : std::span<const Op>()) {
      if (op.kind() == OpKind::kReadList) {
        return "expected a register's value in every read, found a list";
      }
      if (op.kind() == OpKind::kOther || op.kind() == OpKind::kAppend) {
        return "IllegalArgumentException: No matching clause: " +
               (op.kind() == OpKind::kAppend ? std::string(":append") : history.text(op.value()));
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> mixed_keys(const History& history) {
  std::set<ValueClass> classes;
  for (std::uint32_t k = 0; k < history.key_count(); ++k) {
    classes.insert(history.values().class_of(history.key_value({k})));
  }
  if (classes.size() <= 1) {
    return std::nullopt;
  }
  return "AssertionError: History includes a mix of different types for transaction keys";
}

/// A read of a value that several committed transactions wrote.
std::optional<std::string> several_writers(const History& history,
                                           const RegisterVersions& versions) {
  for (std::uint32_t v = 0; v < versions.count(); ++v) {
    const VersionId version{v};
    if (versions.writers(version).size() > 1 && !versions.readers(version).empty()) {
      return "IllegalArgumentException: Key " + history.key_text(versions.key(version)) +
             " had value " + history.text(versions.value(version)) + " written by more than one op";
    }
  }
  return std::nullopt;
}

/// G1a: values of failed transactions. G1b: values that their writer overwrote.
void find_bad_reads(const History& history, std::vector<Anomaly>& out) {
  const Writes writes(history, OpKind::kWrite);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops =
        history.committed({t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      const Op op = ops[mop];
      const Write* write = op.kind() == OpKind::kRead ? writes.find(op.key(), op.value()) : nullptr;
      if (write == nullptr) {
        continue;
      }
      if (!write->failed.is_none()) {
        out.push_back(
            {AnomalyType::kG1a, ReadEvidence{{t}, mop, op.value(), EventRef{write->failed}}});
      }
      if (const auto writer = intermediate_writer(*write, {t})) {
        out.push_back({AnomalyType::kG1b, ReadEvidence{{t}, mop, op.value(), writer}});
      }
    }
  }
}

/// internal: the first read of each committed transaction that is not what it last read or wrote.
void find_internal(const History& history, std::vector<Anomaly>& out) {
  struct Known {
    TxnId txn;
    ValueId value;
  };

  std::vector<Known> known(history.key_count());  // by key, of the transaction at hand
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops =
        history.committed({t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      Known& of_key = known[ops[mop].key().index()];
      if (of_key.txn == TxnId{t} && ops[mop].is_read() && ops[mop].value() != of_key.value) {
        out.push_back({AnomalyType::kInternal,
                       InternalEvidence{{t}, mop, ExpectedRead{.scalar = of_key.value}}});
        break;
      }
      of_key = {{t}, ops[mop].value()};
    }
  }
}

std::vector<bool> committed_transactions(const History& history) {
  std::vector<bool> committed(history.txn_count());
  for (std::uint32_t t = 0; t < committed.size(); ++t) {
    committed[t] = history.committed({t});
  }
  return committed;
}

}  // namespace

Analysis analyze_registers(const History& history, const Assumptions& assumptions) {
  Analysis analysis;
  for (const auto refuses : {foreign_to_registers, mixed_keys}) {
    if (auto exception = refuses(history)) {
      analysis.exception = std::move(exception);
      return analysis;
    }
  }
  const auto versions = std::make_shared<const RegisterVersions>(history);
  analysis.exception = several_writers(history, *versions);
  if (analysis.exception) {
    return analysis;
  }
  find_bad_reads(history, analysis.anomalies);
  find_internal(history, analysis.anomalies);
  find_lost_updates(history, analysis.anomalies);
  VersionGraphs order = version_graphs(history, *versions, assumptions);
  std::move(order.cyclic_versions.begin(), order.cyclic_versions.end(),
            std::back_inserter(analysis.anomalies));
  add_register_edges(*versions, order.graph, analysis);
  analysis.graph.believed = committed_transactions(history);
  analysis.explainer = register_explainer(history, versions, std::move(order.graph));
  analysis.priority = {Relation::kWr, Relation::kWw, Relation::kRw};
  return analysis;
}

}  // namespace elapid::elle
