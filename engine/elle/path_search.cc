#include "engine/elle/path_search.h"

#include <algorithm>

#include "engine/elle/champ_order.h"
#include "engine/graph/scc.h"
#include "engine/ir/growing_vector.h"

namespace elapid::elle {

namespace {

constexpr std::uint32_t kNoParent = 0xffffffffU;

/// A path as its last step; the steps before are found through `parent`.
struct PathNode {
  std::uint32_t parent;
  std::uint32_t vertex;
  EdgeLabel label;  // of the edge that led here
  CycleState state;
};

/// Vertices from which some cycle can be reached; nothing is lost by leaving out the others.
std::vector<bool> leads_to_cycle(const Digraph& graph, EdgeLabel mask) {
  const Components components =
      strong_components(graph.vertex_count(), MaskedSuccessors(graph, mask));
  std::vector<std::uint32_t> size(components.count, 0);
  for (const std::uint32_t c : components.of) {
    ++size[c];
  }
  std::vector<std::uint32_t> by_component(graph.vertex_count());
  for (std::uint32_t v = 0; v < by_component.size(); ++v) {
    by_component[v] = v;
  }
  // Successors' components have lower numbers.
  std::sort(by_component.begin(), by_component.end(),
            [&](std::uint32_t a, std::uint32_t b) { return components.of[a] < components.of[b]; });
  std::vector<bool> leads(graph.vertex_count(), false);
  for (const std::uint32_t v : by_component) {
    bool live = size[components.of[v]] > 1 || (graph.label_between(v, v) & mask) != 0;
    for (std::uint32_t e = graph.row_begin(v); !live && e < graph.row_end(v); ++e) {
      live = (graph.label(e) & mask) != 0 && leads[graph.target(e)];
    }
    leads[v] = live;
  }
  return leads;
}

/// The edges that a query mentions, rows and vertices in the trie's order.
class OrderedGraph {
 public:
  struct Edge {
    std::uint32_t to;
    EdgeLabel label;
  };

  OrderedGraph(const Digraph& graph, std::span<const std::int64_t> indices, EdgeLabel mask) {
    std::vector<bool> has_edge(graph.vertex_count(), false);
    for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
      add_row(graph, indices, mask, v, has_edge);
    }
    std::vector<std::uint32_t> present;
    for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
      if (has_edge[v]) {
        present.push_back(v);
      }
    }
    vertices_ = in_order(present, indices);
  }

  [[nodiscard]] const std::vector<std::uint32_t>& vertices() const { return vertices_; }

  [[nodiscard]] std::span<const Edge> row(std::uint32_t v) const {
    return std::span(edges_).subspan(begin_[v], begin_[v + 1] - begin_[v]);
  }

 private:
  static std::vector<std::uint32_t> in_order(const std::vector<std::uint32_t>& vertices,
                                             std::span<const std::int64_t> indices) {
    std::vector<std::int64_t> chosen;
    chosen.reserve(vertices.size());
    for (const std::uint32_t v : vertices) {
      chosen.push_back(indices[v]);
    }
    std::vector<std::uint32_t> ordered;
    ordered.reserve(vertices.size());
    for (const std::uint32_t position : champ_order(chosen)) {
      ordered.push_back(vertices[position]);
    }
    return ordered;
  }

  void add_row(const Digraph& graph, std::span<const std::int64_t> indices, EdgeLabel mask,
               std::uint32_t v, std::vector<bool>& has_edge) {
    std::vector<std::uint32_t> targets;
    for (std::uint32_t e = graph.row_begin(v); e < graph.row_end(v); ++e) {
      if ((graph.label(e) & mask) != 0) {
        targets.push_back(graph.target(e));
        has_edge[v] = has_edge[graph.target(e)] = true;
      }
    }
    for (const std::uint32_t to : in_order(targets, indices)) {
      edges_.push_back({to, static_cast<EdgeLabel>(graph.label_between(v, to) & mask)});
    }
    begin_.push_back(static_cast<std::uint32_t>(edges_.size()));
  }

  std::vector<std::uint32_t> begin_ = {0};
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> vertices_;
};

using PathNodes = GrowingVector<PathNode>;

/// Where the path to one node stands: the node on each of its vertices. Moving to another node
/// costs the steps that the two paths do not share, which are few from node to node of a
/// breadth-first search.
class CurrentPath {
 public:
  explicit CurrentPath(std::size_t vertices) : node_on_(vertices, kNoParent) {}

  /// The node of the path that stands on `vertex`, or kNoParent.
  [[nodiscard]] std::uint32_t node_on(std::uint32_t vertex) const { return node_on_[vertex]; }

  void move_to(std::uint32_t node, const PathNodes& nodes) {
    added_.clear();
    std::uint32_t shared = node;
    for (; shared != kNoParent && node_on_[nodes[shared].vertex] != shared;
         shared = nodes[shared].parent) {
      added_.push_back(shared);
    }
    for (; end_ != shared; end_ = nodes[end_].parent) {
      node_on_[nodes[end_].vertex] = kNoParent;
    }
    for (const std::uint32_t n : added_) {
      node_on_[nodes[n].vertex] = n;
    }
    end_ = node;
  }

  void clear(const PathNodes& nodes) { move_to(kNoParent, nodes); }

 private:
  std::vector<std::uint32_t> node_on_;  // by vertex
  std::vector<std::uint32_t> added_;
  std::uint32_t end_ = kNoParent;
};

class PathSearch {
 public:
  PathSearch(const Digraph& graph, std::span<const std::int64_t> indices, const CycleQuery& query,
             SearchBudget& budget)
      : graph_(graph, indices, query.mentioned()),
        query_(query),
        budget_(budget),
        allowed_(leads_to_cycle(graph, query.mentioned())),
        path_(graph.vertex_count()) {}

  PathSearchResult run() {
    for (const std::uint32_t v : graph_.vertices()) {
      if (done()) {
        break;
      }
      if (allowed_[v]) {
        search_from(v);
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool done() const { return !result_.cycle.empty() || result_.out_of_budget; }

  /// Only paths whose last vertex was looked at are kept: there are a row's length fewer of them
  /// than edge visits.
  void search_from(std::uint32_t start) {
    nodes_.clear();
    nodes_.push_back({kNoParent, start, 0, CycleState::start(query_)});
    look_at(0);
    for (std::uint32_t parent = 0; parent < nodes_.size() && !done(); ++parent) {
      extend(parent);
    }
    path_.clear(nodes_);
  }

  /// Looks at the paths that are longer by an edge.
  void extend(std::uint32_t parent) {
    const PathNode node = nodes_[parent];
    for (const OrderedGraph::Edge edge : graph_.row(node.vertex)) {
      path_.move_to(parent, nodes_);
      if (path_.node_on(edge.to) != kNoParent || !allowed_[edge.to]) {
        continue;
      }
      for (const EdgeLabel label : choices(node, edge)) {
        nodes_.push_back({parent, edge.to, label, node.state.after(query_, label)});
        look_at(static_cast<std::uint32_t>(nodes_.size() - 1));
        if (done()) {
          return;
        }
      }
    }
  }

  /// Looks for edges from the last vertex that close a cycle.
  void look_at(std::uint32_t at) {
    path_.move_to(at, nodes_);
    const PathNode node = nodes_[at];
    for (const OrderedGraph::Edge edge : graph_.row(node.vertex)) {
      if (!budget_.spend(1)) {
        result_.out_of_budget = true;
        return;
      }
      const std::uint32_t met = path_.node_on(edge.to);
      if (met == kNoParent || !allowed_[edge.to]) {
        continue;
      }
      for (const EdgeLabel label : choices(node, edge)) {
        close(at, met, label, node.state.after(query_, label));
        if (done()) {
          return;
        }
      }
    }
  }

  [[nodiscard]] LabelChoices choices(const PathNode& node, OrderedGraph::Edge edge) const {
    return node.state.choices(query_, edge.label, node.parent == kNoParent);
  }

  void close(std::uint32_t at, std::uint32_t met, EdgeLabel label, CycleState state) {
    if (!state.accepts(query_)) {
      return;
    }
    if (nodes_[met].parent == kNoParent) {
      result_.cycle = cycle_of(at, met, label);
    } else {
      retry_loop(at, met, label);
    }
  }

  [[nodiscard]] std::vector<CycleEdge> cycle_of(std::uint32_t at, std::uint32_t met,
                                                EdgeLabel closing) const {
    std::vector<CycleEdge> cycle = {{nodes_[at].vertex, nodes_[met].vertex, closing}};
    for (; at != met; at = nodes_[at].parent) {
      cycle.push_back({nodes_[nodes_[at].parent].vertex, nodes_[at].vertex, nodes_[at].label});
    }
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

  /// A loop with a tail may be valid only by its tail. Searches again among the loop's vertices
  /// alone.
  void retry_loop(std::uint32_t at, std::uint32_t met, EdgeLabel closing) {
    std::vector<std::uint32_t> loop;
    for (const CycleEdge& edge : cycle_of(at, met, closing)) {
      loop.push_back(edge.from);
    }
    std::vector<bool> only_loop(allowed_.size(), false);
    for (const std::uint32_t v : loop) {
      only_loop[v] = true;
    }
    std::swap(allowed_, only_loop);
    path_.clear(nodes_);
    PathNodes outer = std::move(nodes_);
    for (std::size_t i = 0; i < loop.size() && !done(); ++i) {
      search_from(loop[i]);
    }
    nodes_ = std::move(outer);
    path_.move_to(at, nodes_);
    std::swap(allowed_, only_loop);
  }

  OrderedGraph graph_;
  const CycleQuery& query_;
  SearchBudget& budget_;
  std::vector<bool> allowed_;
  PathNodes nodes_;
  CurrentPath path_;
  PathSearchResult result_;
};

}  // namespace

PathSearchResult first_cycle(const Digraph& graph, std::span<const std::int64_t> indices,
                             const CycleQuery& query, SearchBudget& budget) {
  return PathSearch(graph, indices, query, budget).run();
}

}  // namespace elapid::elle
