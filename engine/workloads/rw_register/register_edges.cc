#include "engine/workloads/rw_register/register_edges.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace elapid {

namespace {

class RegisterEdgeMaker {
 public:
  RegisterEdgeMaker(const History& history, const RegisterVersions& versions, const Digraph& order,
                    Inference& inference)
      : history_(history), versions_(versions), order_(order), inference_(inference) {}

  void run() {
    for (std::uint32_t v = 0; v < versions_.count(); ++v) {
      add_wr({v});
      if (versions_.value({v}) == versions_.initial(versions_.key({v}))) {
        add_initial({v});
      } else {
        add_successors({v});
      }
    }
  }

 private:
  void add_product(std::span<const TxnId> from, std::span<const TxnId> to, EdgeLabel label) {
    for (const TxnId a : from) {
      for (const TxnId b : to) {
        if (a != b) {
          inference_.edges.push_back({a.value, b.value, label});
        }
      }
    }
  }

  [[nodiscard]] bool ambiguous(VersionId version) const { return versions_.ambiguous(version); }

  void add_wr(VersionId version) {
    if (versions_.writers(version).size() == 1 && !ambiguous(version)) {
      add_product(versions_.writers(version), versions_.readers(version), kWrEdge);
    }
  }

  void add_successors(VersionId version) {
    if (ambiguous(version)) {
      return;
    }
    for (std::uint32_t e = order_.row_begin(version.value); e < order_.row_end(version.value);
         ++e) {
      const VersionId after{order_.target(e)};
      if (!ambiguous(after)) {
        add_product(versions_.writers(version), versions_.writers(after), kWwEdge);
        add_product(versions_.readers(version), versions_.writers(after), kRwEdge);
      }
    }
  }

  /// Adds a bundle from the initial state, which has a successor for each version of the key.
  void add_initial(VersionId initial) {
    if (ambiguous(initial)) {
      return;
    }
    RwBundle bundle;
    const std::span<const TxnId> readers = versions_.readers(initial);
    bundle.readers.assign(readers.begin(), readers.end());
    for (std::uint32_t e = order_.row_begin(initial.value); e < order_.row_end(initial.value);
         ++e) {
      const std::span<const TxnId> writers = versions_.writers({order_.target(e)});
      bundle.writers.insert(bundle.writers.end(), writers.begin(), writers.end());
    }
    std::sort(bundle.writers.begin(), bundle.writers.end());
    add_product(versions_.writers(initial), bundle.writers, kWwEdge);
    add_bundle(std::move(bundle), inference_);
  }

  const History& history_;
  const RegisterVersions& versions_;
  const Digraph& order_;
  Inference& inference_;
};

class RegisterExplainer final : public EdgeExplainer {
 public:
  RegisterExplainer(const History& history, std::shared_ptr<const RegisterVersions> versions,
                    Digraph order)
      : history_(history), versions_(std::move(versions)), order_(std::move(order)) {}

  [[nodiscard]] Step explain(TxnId from, TxnId to, Relation relation) const override {
    for (const ExternalOp& a : versions_->external().of(from)) {
      for (const ExternalOp& b : versions_->external().of(to)) {
        if (a.key != b.key) {
          continue;
        }
        if (const auto step = explain_on_key(from, a, to, b, relation)) {
          return *step;
        }
      }
    }
    return {.from = from, .to = to, .relation = relation};
  }

 private:
  [[nodiscard]] std::optional<Step> explain_on_key(TxnId from, const ExternalOp& a, TxnId to,
                                                   const ExternalOp& b, Relation relation) const {
    Step step{.from = from, .to = to, .relation = relation, .key = a.key};
    if (relation == Relation::kWr) {
      if (a.write.is_none() || a.write != b.read || versions_->ambiguous(a.key, b.read)) {
        return std::nullopt;
      }
      step.value = a.write;
      step.from_mop = find(from, OpKind::kWrite, a.key, a.write);
      step.to_mop = find(to, OpKind::kRead, a.key, b.read);
      return step;
    }
    const OpKind kind = relation == Relation::kWw ? OpKind::kWrite : OpKind::kRead;
    step.value = relation == Relation::kWw ? a.write : a.read;
    step.value_after = b.write;
    if (!follows(a.key, step.value, step.value_after)) {
      return std::nullopt;
    }
    step.from_mop = find(from, kind, a.key, step.value);
    step.to_mop = find(to, OpKind::kWrite, a.key, step.value_after);
    return step;
  }

  /// Whether RegisterEdgeMaker made an edge for these versions.
  [[nodiscard]] bool follows(KeyId key, ValueId before, ValueId after) const {
    const VersionId a = versions_->find(key, before);
    const VersionId b = versions_->find(key, after);
    if (a.is_none() || b.is_none() || versions_->ambiguous(a)) {
      return false;
    }
    const bool initial = versions_->value(a) == versions_->initial(key);
    return (initial || !versions_->ambiguous(b)) && order_.label_between(a.value, b.value) != 0;
  }

  [[nodiscard]] std::int32_t find(TxnId txn, OpKind kind, KeyId key, ValueId value) const {
    const std::span<const Op> ops = history_.ops(txn);
    const auto found = std::find(ops.begin(), ops.end(), Op(kind, key, value));
    return found == ops.end() ? -1 : static_cast<std::int32_t>(found - ops.begin());
  }

  const History& history_;
  std::shared_ptr<const RegisterVersions> versions_;
  Digraph order_;
};

}  // namespace

void add_register_edges(const History& history, const RegisterVersions& versions,
                        const Digraph& version_order, Inference& inference) {
  RegisterEdgeMaker(history, versions, version_order, inference).run();
}

std::unique_ptr<EdgeExplainer> register_explainer(const History& history,
                                                  std::shared_ptr<const RegisterVersions> versions,
                                                  Digraph version_order) {
  return std::make_unique<RegisterExplainer>(history, std::move(versions),
                                             std::move(version_order));
}

}  // namespace elapid
