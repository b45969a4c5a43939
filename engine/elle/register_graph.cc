#include "engine/elle/register_graph.h"

#include <algorithm>
#include <utility>

namespace elapid::elle {

namespace {

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
    for (const RegisterOp& a : versions_->ops().of(from)) {
      for (const RegisterOp& b : versions_->ops().of(to)) {
        auto step = a.key == b.key ? explain_on_key(a, b, relation) : std::nullopt;
        if (step) {
          step->from = from;
          step->to = to;
          add_mops(*step);
          return step;
        }
      }
    }
    return std::nullopt;
  }

 private:
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

}  // namespace

void add_register_edges(const RegisterVersions& versions, const Digraph& version_graph,
                        Analysis& analysis) {
  EdgeMaker(versions, version_graph, analysis).run();
}

std::unique_ptr<Explainer> register_explainer(const History& history,
                                              std::shared_ptr<const RegisterVersions> versions,
                                              Digraph version_graph) {
  return std::make_unique<RegisterExplainer>(history, std::move(versions),
                                             std::move(version_graph));
}

}  // namespace elapid::elle
