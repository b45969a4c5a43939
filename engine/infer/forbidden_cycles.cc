#include "engine/infer/forbidden_cycles.h"

#include <utility>

#include "engine/graph/scc.h"

namespace elapid {

namespace {

/// Relations of `labels` as a graph; with `rw_after_other`, vertex 2v stands for v and 2v + 1 for v
/// reached by another relation and about to be left by an anti-dependency.
class ForbiddenSuccessors {
 public:
  ForbiddenSuccessors(const Digraph& graph, const ForbiddenGraph& forbidden)
      : graph_(graph), forbidden_(forbidden) {}

  bool next(std::uint32_t vertex, std::uint32_t& cursor, std::uint32_t& to) const {
    const std::uint32_t v = vertex / 2;
    const bool before_rw = vertex % 2 == 1;
    const EdgeLabel mask = before_rw ? kRwEdge | kRwpEdge : forbidden_.labels;
    // Each edge is looked at twice: towards a vertex, and towards a vertex that an anti-dependency
    // is about to leave.
    for (std::uint32_t edge = graph_.row_begin(v) + cursor / 2; edge < graph_.row_end(v);
         edge = graph_.row_begin(v) + cursor / 2) {
      const bool towards_rw = cursor++ % 2 == 1;
      if ((graph_.label(edge) & mask) != 0 &&
          !(towards_rw && (before_rw || !forbidden_.rw_after_other))) {
        to = 2 * graph_.target(edge) + (towards_rw ? 1 : 0);
        return true;
      }
    }
    return false;
  }

 private:
  const Digraph& graph_;
  const ForbiddenGraph& forbidden_;
};

}  // namespace

std::vector<std::uint32_t> smallest_cyclic_component(const Digraph& graph,
                                                     const ForbiddenGraph& forbidden) {
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    if ((graph.label_between(v, v) & forbidden.labels) != 0) {
      return {v};
    }
  }
  const Components components =
      strong_components(2 * graph.vertex_count(), ForbiddenSuccessors(graph, forbidden));
  std::vector<std::uint32_t> best;
  for (std::vector<std::uint32_t>& group : components.groups()) {
    std::erase_if(group, [](std::uint32_t vertex) { return vertex % 2 == 1; });
    if (!group.empty() && (best.empty() || group.size() < best.size())) {
      best = std::move(group);
    }
  }
  for (std::uint32_t& vertex : best) {
    vertex /= 2;
  }
  return best;
}

AnomalySet find_forbidden_graphs(const ComponentGraph& component, std::vector<Anomaly>& out) {
  AnomalySet absent;
  ModelSet impossible;
  for (const ForbiddenGraph& forbidden : forbidden_graphs()) {
    if (impossible.test(forbidden.model)) {
      continue;
    }
    const std::vector<std::uint32_t> cyclic = smallest_cyclic_component(component.graph, forbidden);
    if (cyclic.empty()) {
      absent |= prohibited(ModelSet{forbidden.model}, {});
      continue;
    }
    impossible |= all_impossible(ModelSet{forbidden.model});
    CycleExistsEvidence evidence{.model = forbidden.model, .component = {}, .walk = {}};
    for (const std::uint32_t v : cyclic) {
      evidence.component.push_back(component.txns[v]);
    }
    out.push_back({forbidden.type, std::move(evidence)});
  }
  return absent;
}

}  // namespace elapid
