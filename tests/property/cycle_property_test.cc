// The cycles that are shown are the shortest there are: compared with all simple cycles of the
// dependency graph, with session order and real time written out for every pair of transactions.
// By default 6,000 random histories; more with ELAPID_PROPERTY_CASES.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "engine/check/check.h"
#include "engine/check/question.h"
#include "engine/infer/cycle_classes.h"
#include "engine/levels/entailment.h"
#include "engine/workloads/table.h"
#include "tests/property/for_all.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
/// The dependencies of a small history as a matrix of labels.
class AllDependencies {
 public:
  AllDependencies(const History& history, const Inference& inference, ExternalOrders orders)
      : count_(static_cast<std::uint32_t>(history.txn_count())), labels_(count_ * count_, 0) {
    for (const LabelledEdge& edge : inference.edges) {
      at(edge.from, edge.to) |= edge.label;
    }
    for (const RwBundle& bundle : inference.bundles) {
      for (const TxnId reader : bundle.readers) {
        for (const TxnId writer : bundle.writers) {
          at(reader.value, writer.value) |= kRwEdge;
        }
      }
    }
    for (std::uint32_t a = 0; a < count_; ++a) {
      for (std::uint32_t b = 0; b < count_; ++b) {
        EdgeLabel& labels = at(a, b);
        if ((labels & (kWwEdge | kWrEdge)) != 0) {
          labels = static_cast<EdgeLabel>(labels & ~kRwEdge);  // adds nothing
        }
        if (a != b && inference.believed[a] && inference.believed[b] && history.committed({a})) {
          labels |=
              orders.process && in_session_order(history, {a}, {b}) ? kProcessEdge : EdgeLabel{0};
          labels |= orders.realtime && in_real_time_order(history, {a}, {b}) ? kRealtimeEdge
                                                                             : EdgeLabel{0};
        }
        labels = a == b ? 0 : labels;
      }
    }
    close();
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }

  [[nodiscard]] EdgeLabel labels(std::uint32_t from, std::uint32_t to) const {
    return labels_[from * count_ + to];
  }

  /// Whether a cycle passes both.
  [[nodiscard]] bool together(std::uint32_t a, std::uint32_t b) const {
    return reaches_[a * count_ + b] && reaches_[b * count_ + a];
  }

 private:
  static bool in_session_order(const History& history, TxnId a, TxnId b) {
    return history.session(a) == history.session(b) && a < b;
  }

  static bool in_real_time_order(const History& history, TxnId a, TxnId b) {
    return history.has_invocation(b) && history.completion_id(a) < history.invocation_id(b);
  }

  EdgeLabel& at(std::uint32_t from, std::uint32_t to) { return labels_[from * count_ + to]; }

  void close() {
    reaches_.assign(labels_.size(), false);
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      reaches_[i] = labels_[i] != 0;
    }
    for (std::uint32_t middle = 0; middle < count_; ++middle) {
      for (std::uint32_t a = 0; a < count_; ++a) {
        for (std::uint32_t b = 0; b < count_; ++b) {
          reaches_[a * count_ + b] = reaches_[a * count_ + b] || (reaches_[a * count_ + middle] &&
                                                                  reaches_[middle * count_ + b]);
        }
      }
    }
  }

  std::uint32_t count_;
  std::vector<EdgeLabel> labels_;
  std::vector<bool> reaches_;
};

/// By class, the number of transactions of its shortest simple cycle among those that share a
/// component with `member`.
std::map<AnomalyType, std::size_t> shortest_lengths(const AllDependencies& all,
                                                    std::uint32_t member) {
  std::map<AnomalyType, std::size_t> shortest;
  std::vector<Step> path;
  std::vector<bool> is_on_path(all.count(), false);
  const auto extend = [&](const auto& self, std::uint32_t start, std::uint32_t from) -> void {
    for (std::uint32_t to = start; to < all.count(); ++to) {  // the start is the least
      for (EdgeLabel left = all.together(member, to) ? all.labels(from, to) : EdgeLabel{0};
           left != 0; left = static_cast<EdgeLabel>(left & (left - 1))) {
        path.push_back({.from = {from}, .to = {to}, .relation = relation_of(left)});
        if (to == start) {
          std::size_t& length = shortest.try_emplace(classify(path), path.size()).first->second;
          length = std::min(length, path.size());
        } else if (!is_on_path[to]) {
          is_on_path[to] = true;
          self(self, start, to);
          is_on_path[to] = false;
        }
        path.pop_back();
      }
    }
  };
  for (std::uint32_t start = 0; start < all.count(); ++start) {
    if (all.together(member, start)) {
      extend(extend, start, start);
    }
  }
  return shortest;
}

bool is_external(Relation relation) {
  return relation == Relation::kProcess || relation == Relation::kRealtime;
}

/// Whether two steps of session order, or two of real time, follow one another.
bool repeats_order(const std::vector<Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Relation relation = steps[i].relation;
    if (is_external(relation) && relation == steps[(i + 1) % steps.size()].relation) {
      return true;
    }
  }
  return false;
}

Inference infer(const History& history) {
  return row_of(history.workload()).infer(history, {}, [] { return true; });
}

/// What is wrong with the cycles shown to refute a model; nothing if all is well.
class ShownCycles {
 public:
  ShownCycles(const History& history, Model model, Tally& tally)
      : history_(history), prohibited_(prohibited(entailed(ModelSet{model}), {})), tally_(tally) {
    const Result<Verdict> verdict = check(history, {.models = ModelSet{model}});
    if (verdict.ok()) {
      anomalies_ = verdict.value().anomalies;
    }
  }

  std::string wrong() {
    for (const Anomaly& anomaly : anomalies_) {
      if (std::ranges::any_of(cycles_of(anomaly), repeats_order)) {
        return std::string(name(anomaly.type)) + " has two steps of one order in a row";
      }
    }
    return is_any_inferred() ? compare() : "";
  }

 private:
  /// A cycle that the inference found, not one that ends a proof.
  static const CycleEvidence* inferred(const Anomaly& anomaly) {
    const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence);
    return cycle == nullptr || cycle->is_inferred ? nullptr : cycle;
  }

  /// All that the anomaly's evidence shows, those of its proof included.
  static std::vector<std::vector<Step>> cycles_of(const Anomaly& anomaly) {
    std::vector<std::vector<Step>> cycles;
    const auto add = [&](const std::vector<Step>& last, const std::vector<ProvedChoice>& because) {
      cycles.push_back(last);
      for (const ProvedChoice& proved : because) {
        cycles.push_back(proved.steps);
      }
    };
    if (const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence)) {
      add(cycle->steps, cycle->because);
    } else if (const auto* exists = std::get_if<CycleExistsEvidence>(&anomaly.evidence)) {
      add(exists->walk, exists->because);
    }
    return cycles;
  }

  [[nodiscard]] bool is_any_inferred() const {
    return std::ranges::any_of(anomalies_, [](const Anomaly& a) { return inferred(a) != nullptr; });
  }

  std::string compare() {
    const AllDependencies all(history_, infer(history_), orders_needed(prohibited_));
    for (const Anomaly& anomaly : anomalies_) {
      const CycleEvidence* cycle = inferred(anomaly);
      if (cycle == nullptr) {
        continue;
      }
      const std::uint32_t member = cycle->steps.front().from.value;
      const std::map<AnomalyType, std::size_t> shortest = shortest_lengths(all, member);
      const auto of_class = shortest.find(anomaly.type);
      if (of_class == shortest.end() || of_class->second != cycle->steps.size()) {
        return std::string(name(anomaly.type)) + " has " + std::to_string(cycle->steps.size()) +
               " steps and is not the shortest of its class";
      }
      if (shortest_shown(all, member) > shortest_prohibited(shortest)) {
        return "a prohibited cycle is shorter than all that are shown";
      }
      (cycle->steps.size() > 2 ? tally_.valid : tally_.invalid) += 1;
    }
    return "";
  }

  /// Two transactions that lose an update are a cycle of two steps, which is shown as that.
  [[nodiscard]] std::size_t shortest_shown(const AllDependencies& all, std::uint32_t member) const {
    std::size_t least = all.count();
    for (const Anomaly& anomaly : anomalies_) {
      const CycleEvidence* cycle = inferred(anomaly);
      if (cycle != nullptr && all.together(member, cycle->steps.front().from.value)) {
        least = std::min(least, cycle->steps.size());
      }
      const auto* lost = std::get_if<LostUpdateEvidence>(&anomaly.evidence);
      if (lost != nullptr && all.together(member, lost->txns.front().value)) {
        least = std::min(least, std::size_t{2});
      }
    }
    return least;
  }

  [[nodiscard]] std::size_t shortest_prohibited(
      const std::map<AnomalyType, std::size_t>& shortest) const {
    std::size_t least = history_.txn_count();
    for (const auto& [type, length] : shortest) {
      least = prohibited_.test(type) ? std::min(least, length) : least;
    }
    return least;
  }

  const History& history_;
  AnomalySet prohibited_;
  Tally& tally_;
  std::vector<Anomaly> anomalies_;
};

constexpr std::array kCycleLevels = {
    Model::kPlSs,
    Model::kPl3,
    Model::kPlSi,
    Model::kPl2,
    Model::kStrongSessionSerializable,
    Model::kStrongSessionSnapshotIsolation,
    Model::kStrongSnapshotIsolation,
};

std::string shows_longer_cycles(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  for (const Model model : kCycleLevels) {
    const std::string wrong = ShownCycles(history, model, tally).wrong();
    if (!wrong.empty()) {
      return std::string(friendly_name(model)) + ": " + wrong;
    }
  }
  return "";
}

// In the tally, "valid" counts cycles of more than two transactions, "invalid" those of two.

TEST_CASE("cycle property: no shorter cycle of lists") {
  for_both_answers({.model = Workload::kListAppend, .cases = 4000}, 80 * kBillion,
                   shows_longer_cycles, 30);
}

TEST_CASE("cycle property: no shorter cycle of registers") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 8000}, 81 * kBillion,
                   shows_longer_cycles, 30);
}

}  // namespace
}  // namespace elapid
