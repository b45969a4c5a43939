#include "engine/infer/cycles.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <utility>

#include "engine/graph/shortest_cycle.h"
#include "engine/infer/component_graph.h"
#include "engine/infer/cycle_classes.h"
#include "engine/infer/forbidden_cycles.h"

namespace elapid {

namespace {

/// The most edges that all bundles together may become: 100 MB.
constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 22;

/// Components searched between two calls of `keep_going`.
constexpr std::size_t kComponentsBetweenQuestions = 256;

/// Removes rw where ww or wr holds too. A cycle that takes the edge as ww or wr is of a stronger
/// class.
Digraph without_redundant_rw(const Digraph& graph) {
  std::vector<LabelledEdge> edges;
  edges.reserve(graph.edge_count());
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    for (std::uint32_t e = graph.row_begin(v); e < graph.row_end(v); ++e) {
      const EdgeLabel label = graph.label(e);
      const bool redundant = (label & (kWwEdge | kWrEdge)) != 0;
      edges.push_back(
          {v, graph.target(e), redundant ? static_cast<EdgeLabel>(label & ~kRwEdge) : label});
    }
  }
  return Digraph(graph.vertex_count(), edges);
}

class ComponentSearch {
 public:
  ComponentSearch(const History& history, const Inference& inference, const CycleOptions& options,
                  const ComponentGraph& component, CycleFindings& findings)
      : history_(history),
        inference_(inference),
        options_(options),
        component_(component),
        transitive_(has_orders_to_close()
                        ? transitive_orders(history, options.orders, component.txns)
                        : std::vector<TransitiveOrder>()),
        graph_(without_redundant_rw(component.graph)),
        findings_(findings),
        budget_(options.make_budget()) {}

  void run() {
    const std::size_t first = findings_.anomalies.size();
    redundant_ = find_forbidden_graphs(component_, findings_.anomalies);
    const std::size_t end = findings_.anomalies.size();
    search_classes();
    search_shorter();
    add_walks(first, end);
  }

 private:
  static constexpr std::size_t kShortest = 2;
  static constexpr std::size_t kNoProof = std::numeric_limits<std::size_t>::max();

  /// False for two transactions. No third one is between them, so their edges are complete.
  [[nodiscard]] bool has_orders_to_close() const { return component_.txns.size() > 2; }

  void search_classes() {
    std::vector<AnomalyType> absent;
    for (const CycleClass& wanted : cycle_classes()) {
      if (redundant_.test(wanted.type)) {
        continue;
      }
      const ShortestCycleResult result = shortest_cycle(graph_, wanted.query, budget_, transitive_);
      if (result.walk.empty() && result.out_of_budget) {
        if (!options_.wanted.test(wanted.type)) {
          continue;
        }
        report_timeout(wanted.type, absent);
      } else if (result.walk.empty()) {
        absent.push_back(wanted.type);
      }
      for (const std::vector<CycleEdge>& cycle : simple_cycles(result.walk)) {
        std::vector<Step> steps = explain(cycle);
        if (!redundant_.test(classify(steps))) {
          keep(std::move(steps));
        }
      }
    }
  }

  /// Shows one more cycle if it proves a violation and is shorter than all kept that do.
  void search_shorter() {
    std::size_t length = shortest_proof_ == kNoProof ? 0 : shortest_proof_;
    std::vector<Step> shortest;
    for (const CycleClass& proving : cycle_classes()) {
      if (length <= kShortest) {
        break;
      }
      if (!options_.proving.test(proving.type) || found_.test(proving.type)) {
        continue;
      }
      for (const std::vector<CycleEdge>& cycle :
           simple_cycles(shorter_cycle(graph_, proving.query, budget_, transitive_, length))) {
        std::vector<Step> steps = explain(cycle);
        if (steps.size() < length && options_.proving.test(classify(steps))) {
          shortest = std::move(steps);
          length = shortest.size();
        }
      }
    }
    if (!shortest.empty()) {
      keep(std::move(shortest));
    }
  }

  void report_timeout(AnomalyType type, const std::vector<AnomalyType>& absent) {
    if (!timeout_reported_) {
      timeout_reported_ = true;
      findings_.anomalies.push_back(
          {AnomalyType::kCycleSearchTimeout,
           SearchTimeoutEvidence{type, absent,
                                 static_cast<std::uint32_t>(component_.txns.size())}});
    }
  }

  void keep(std::vector<Step> steps) {
    const AnomalyType type = classify(steps);
    redundant_ |= all_implied(AnomalySet{type});
    found_.set(type);
    if (options_.proving.test(type)) {
      shortest_proof_ = std::min(shortest_proof_, steps.size());
    }
    findings_.anomalies.push_back({type, CycleEvidence{std::move(steps)}});
  }

  /// Makes steps of edges, with the relations that the search took them for.
  [[nodiscard]] std::vector<Step> explain(std::span<const CycleEdge> edges) const {
    std::vector<Step> steps;
    for (const CycleEdge& edge : edges) {
      steps.push_back(explain_edge(edge, relation_of(edge.label)));
    }
    return steps;
  }

  [[nodiscard]] Step explain_edge(const CycleEdge& edge, Relation relation) const {
    const TxnId from = component_.txns[edge.from];
    const TxnId to = component_.txns[edge.to];
    if (relation == Relation::kProcess || relation == Relation::kRealtime) {
      return {.from = from, .to = to, .relation = relation};
    }
    return inference_.explainer->explain(from, to, relation);
  }

  /// Shows a closed walk for each forbidden graph, told by the anomalies from `first` to `end`,
  /// that no cycle found accounts for.
  void add_walks(std::size_t first, std::size_t end) {
    const ModelSet shown = impossible_models(found_);
    for (std::size_t at = first; at < end; ++at) {
      auto& exists = std::get<CycleExistsEvidence>(findings_.anomalies[at].evidence);
      if (shown.test(exists.model)) {
        continue;
      }
      const auto forbidden =
          std::ranges::find(forbidden_graphs(), exists.model, &ForbiddenGraph::model);
      const CycleQuery query{
          .base = forbidden->labels,
          .rw = forbidden->rw_after_other ? kRwEdge : EdgeLabel{0},
          .mode = forbidden->rw_after_other ? RwMode::kNonadjacent : RwMode::kNone,
          .required = {0, 0}};
      SearchBudget budget = options_.make_budget();
      exists.walk = explain(shortest_cycle(component_.graph, query, budget, transitive_).walk);
      if (exists.walk.empty()) {
        report_timeout(findings_.anomalies[at].type, {});
      }
    }
  }

  const History& history_;
  const Inference& inference_;
  const CycleOptions& options_;
  const ComponentGraph& component_;
  const std::vector<TransitiveOrder> transitive_;
  const Digraph graph_;
  CycleFindings& findings_;
  SearchBudget budget_;
  AnomalySet redundant_;  // classes that cannot exist, or that a found class implies
  AnomalySet found_;
  std::size_t shortest_proof_ = kNoProof;  // steps
  bool timeout_reported_ = false;
};

/// Describes a component with a step for every edge.
Component describe(const ComponentGraph& component, const Inference& inference) {
  Component result{.txns = component.txns, .edges = {}};
  const Digraph& graph = component.graph;
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    for (std::uint32_t e = graph.row_begin(v); e < graph.row_end(v); ++e) {
      const Relation relation = relation_of(graph.label(e));
      const TxnId from = component.txns[v];
      const TxnId to = component.txns[graph.target(e)];
      const bool item = relation != Relation::kProcess && relation != Relation::kRealtime;
      result.edges.push_back(item ? inference.explainer->explain(from, to, relation)
                                  : Step{.from = from, .to = to, .relation = relation});
    }
  }
  return result;
}

std::size_t length_of(const Anomaly& anomaly) {
  const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence);
  return cycle == nullptr ? 0 : cycle->steps.size();
}

}  // namespace

SearchBudget CycleOptions::make_budget() const {
  std::optional<SearchBudget::Clock::time_point> deadline;
  if (milliseconds > 0) {
    deadline = SearchBudget::Clock::now() + std::chrono::milliseconds(milliseconds);
  }
  return SearchBudget(edge_visits, deadline, keep_going);
}

CycleFindings find_cycles(const History& history, const Inference& inference,
                          const CycleOptions& options) {
  CycleFindings findings;
  std::size_t searched = 0;
  for (const ComponentGraph& component :
       component_graphs(history, inference, options.orders, kMostPairs)) {
    if (searched++ % kComponentsBetweenQuestions == 0 && options.keep_going &&
        !options.keep_going()) {
      break;
    }
    ComponentSearch(history, inference, options, component, findings).run();
    findings.is_partial = findings.is_partial || component.is_partial;
    if (options.keep_components) {
      findings.components.push_back(describe(component, inference));
    }
  }
  std::ranges::stable_sort(findings.anomalies, {}, length_of);
  return findings;
}

}  // namespace elapid
