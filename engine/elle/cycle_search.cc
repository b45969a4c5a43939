#include "engine/elle/cycle_search.h"

#include <algorithm>
#include <utility>

#include "engine/elle/path_search.h"
#include "engine/graph/shortest_cycle.h"
#include "engine/infer/component_graph.h"
#include "engine/infer/cycle_classes.h"
#include "engine/infer/forbidden_cycles.h"

namespace elapid::elle {

namespace {

/// The most anti-dependencies that become edges if all readers of a version precede all writers of
/// others: some 3 GB. Elle has no limit.
constexpr std::uint64_t kMostPairs = std::uint64_t{1} << 27;

constexpr std::size_t kComponentsBetweenQuestions = 256;

EdgeLabel label_of(Relation relation) {
  switch (relation) {
    case Relation::kWw:
      return kWwEdge | kWwpEdge;
    case Relation::kWr:
      return kWrEdge | kWrpEdge;
    default:
      return kRwEdge | kRwpEdge;
  }
}

Digraph without_loops(const Digraph& graph) {
  std::vector<LabelledEdge> edges;
  edges.reserve(graph.edge_count());
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    for (std::uint32_t e = graph.row_begin(v); e < graph.row_end(v); ++e) {
      if (graph.target(e) != v) {
        edges.push_back({v, graph.target(e), graph.label(e)});
      }
    }
  }
  return Digraph(graph.vertex_count(), edges);
}

/// Finds the step for an edge as Elle explains it: by the first relation for which there is a
/// reason.
class EdgeReasons {
 public:
  EdgeReasons(const History& history, const Analysis& analysis, ExternalOrders orders,
              const ComponentGraph& component)
      : history_(history), analysis_(analysis), orders_(orders), component_(component) {}

  /// Nothing where Elle finds no reason.
  [[nodiscard]] std::optional<Step> of(std::uint32_t from, std::uint32_t to) const {
    const EdgeLabel label = component_.graph.label_between(from, to);
    const TxnId a = component_.txns[from];
    const TxnId b = component_.txns[to];
    for (const Relation relation : analysis_.priority) {
      if (analysis_.has_predicates || (label & label_of(relation)) != 0) {
        if (auto step = analysis_.explainer->explain(a, b, relation)) {
          return step;
        }
      }
    }
    return by_order(a, b);
  }

  /// Nothing if one of the edges has no reason.
  [[nodiscard]] std::optional<std::vector<Step>> of(std::span<const CycleEdge> cycle) const {
    std::vector<Step> steps;
    for (const CycleEdge& edge : cycle) {
      const std::optional<Step> step = of(edge.from, edge.to);
      if (!step) {
        return std::nullopt;
      }
      steps.push_back(*step);
    }
    return steps;
  }

 private:
  /// The order of sessions or of real time explains any two transactions that it orders, whether
  /// the graph has an edge for it or not.
  [[nodiscard]] std::optional<Step> by_order(TxnId a, TxnId b) const {
    if (orders_.realtime && history_.has_invocation(b) &&
        history_.completion_id(a) < history_.invocation_id(b)) {
      return Step{.from = a, .to = b, .relation = Relation::kRealtime};
    }
    if (orders_.process && history_.session(a) == history_.session(b) && a < b) {
      return Step{.from = a, .to = b, .relation = Relation::kProcess};
    }
    return std::nullopt;
  }

  const History& history_;
  const Analysis& analysis_;
  ExternalOrders orders_;
  const ComponentGraph& component_;
};

class ComponentSearch {
 public:
  ComponentSearch(const History& history, const CycleOptions& options, const EdgeReasons& reasons,
                  const ComponentGraph& component, std::span<const CycleClass> classes,
                  CycleFindings& findings)
      : history_(history),
        options_(options),
        classes_(classes),
        reasons_(reasons),
        component_(component),
        findings_(findings),
        loopless_(without_loops(component.graph)),
        budget_(options.make_budget()) {}

  void run() {
    redundant_ = find_forbidden_graphs(component_, findings_.anomalies);
    std::vector<AnomalyType> absent;
    for (const CycleClass& wanted : classes_) {
      if (findings_.exception || redundant_.test(wanted.type)) {
        continue;
      }
      const PathSearchResult result = first_cycle_of(wanted.query);
      if (result.out_of_budget) {
        report_timeout(wanted.type, absent);
        budget_ = options_.make_budget();
        search_shortest();
        return;
      }
      if (result.cycle.empty()) {
        absent.push_back(wanted.type);
      } else {
        keep(result.cycle, wanted);
      }
    }
  }

 private:
  /// Elle's search is exponential if it finds nothing, so this is decided first.
  PathSearchResult first_cycle_of(const CycleQuery& query) {
    SearchBudget budget = options_.make_budget();
    if (!has_loop(query) && !has_closed_walk(loopless_, query, budget)) {
      return {};
    }
    std::vector<std::int64_t> indices;
    indices.reserve(component_.txns.size());
    for (const TxnId txn : component_.txns) {
      indices.push_back(history_.representative(txn).index);
    }
    return first_cycle(component_.graph, indices, query, budget_);
  }

  /// Whether an edge from a transaction to itself is a cycle of the query.
  [[nodiscard]] bool has_loop(const CycleQuery& query) const {
    for (std::uint32_t v = 0; v < component_.txns.size(); ++v) {
      const EdgeLabel label = component_.graph.label_between(v, v);
      const CycleState start = CycleState::start(query);
      for (const EdgeLabel taken : start.choices(query, label, true)) {
        if (start.after(query, taken).accepts(query)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Searches what is left when the budget ends.
  void search_shortest() {
    for (const CycleClass& wanted : classes_) {
      if (findings_.exception || redundant_.test(wanted.type)) {
        continue;
      }
      const ShortestCycleResult result = shortest_cycle(loopless_, wanted.query, budget_);
      for (const std::vector<CycleEdge>& cycle : simple_cycles(result.walk)) {
        keep(cycle, wanted);
      }
    }
  }

  void report_timeout(AnomalyType type, const std::vector<AnomalyType>& absent) {
    findings_.anomalies.push_back(
        {AnomalyType::kCycleSearchTimeout,
         SearchTimeoutEvidence{type, absent, static_cast<std::uint32_t>(component_.txns.size())}});
  }

  /// Elle names a cycle by its explanation, but skips the classes that the searched class implies.
  void keep(std::span<const CycleEdge> cycle, const CycleClass& wanted) {
    std::optional<std::vector<Step>> steps = reasons_.of(cycle);
    if (!steps) {
      findings_.exception =
          "IllegalStateException: Explainer was unable to explain a dependency on a write of nil "
          "or false";
      return;
    }
    const AnomalyType type = classify(*steps);
    if (!wanted.explained_as_type || type == wanted.type) {
      redundant_ |= all_implied(AnomalySet{wanted.type});
      findings_.anomalies.push_back({type, CycleEvidence{std::move(*steps)}});
    }
  }

  const History& history_;
  const CycleOptions& options_;
  std::span<const CycleClass> classes_;
  const EdgeReasons& reasons_;
  const ComponentGraph& component_;
  CycleFindings& findings_;
  Digraph loopless_;
  SearchBudget budget_;
  AnomalySet redundant_;  // classes that cannot exist, or that a found class implies
};

/// The component with a step for every edge that has a reason.
Component describe(const ComponentGraph& component, const EdgeReasons& reasons) {
  Component result{.txns = component.txns, .edges = {}};
  const Digraph& graph = component.graph;
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    for (std::uint32_t e = graph.row_begin(v); e < graph.row_end(v); ++e) {
      if (const auto step = reasons.of(v, graph.target(e))) {
        result.edges.push_back(*step);
      }
    }
  }
  return result;
}

/// Elle's processes order committed transactions alone.
void add_committed_process_edges(const History& history, std::vector<LabelledEdge>& edges) {
  std::vector<bool> committed(history.txn_count());
  for (std::uint32_t t = 0; t < committed.size(); ++t) {
    committed[t] = history.committed({t});
  }
  add_process_edges(history, committed, edges);
}

}  // namespace

CycleFindings find_cycles(const History& history, Analysis& analysis, const CycleOptions& options) {
  CycleFindings findings;
  if (!analysis.has_vertices && !orders_anything(history, options.orders)) {
    findings.anomalies.push_back({AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}});
  }
  if (options.orders.process) {
    add_committed_process_edges(history, analysis.graph.edges);
  }
  std::size_t searched = 0;
  for (const ComponentGraph& component : component_graphs(
           history, analysis.graph, {.realtime = options.orders.realtime}, kMostPairs)) {
    if (searched++ % kComponentsBetweenQuestions == 0 && options.keep_going &&
        !options.keep_going()) {
      break;
    }
    findings.is_partial = findings.is_partial || component.is_partial;
    const EdgeReasons reasons(history, analysis, options.orders, component);
    ComponentSearch(history, options, reasons, component,
                    analysis.has_predicates ? cycle_classes_with_predicates() : cycle_classes(),
                    findings)
        .run();
    if (findings.exception) {
      break;
    }
    if (options.keep_components) {
      findings.components.push_back(describe(component, reasons));
    }
  }
  return findings;
}

}  // namespace elapid::elle
