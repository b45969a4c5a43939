#include "engine/adya/paths.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "engine/graph/scc.h"

namespace elapid {

namespace {

/// From how many vertices of a component a cycle is searched.
constexpr std::size_t kStarts = 16;

Adjacency arcs_by_vertex(std::uint32_t vertex_count, std::span<const Arc> arcs) {
  return places_by_row(vertex_count, arcs, [](const Arc& arc) { return arc.from; });
}

class CycleFinder {
 public:
  CycleFinder(std::uint32_t vertex_count, std::span<const Arc> arcs, ArcBudget& budget)
      : arcs_(arcs),
        budget_(budget),
        leaving_(arcs_by_vertex(vertex_count, arcs)),
        by_(vertex_count),
        round_(vertex_count, 0),
        components_(strong_components(
            vertex_count, Adjacency(vertex_count, arcs,
                                    [](const Arc& arc) { return std::pair(arc.from, arc.to); }))) {}

  std::vector<ArcPath> find(std::size_t limit) {
    std::vector<ArcPath> cycles;
    for (const std::vector<std::uint32_t>& component : components_.groups()) {
      if (cycles.size() == limit) {
        break;
      }
      cycles.push_back(shortest_of(component));
    }
    return cycles;
  }

 private:
  ArcPath shortest_of(const std::vector<std::uint32_t>& component) {
    ArcPath best;
    const std::size_t stride = component.size() / kStarts + 1;
    for (std::size_t i = 0; i < component.size(); i += stride) {
      ArcPath cycle = through(component[i]);
      if (best.empty() || cycle.size() < best.size()) {
        best = std::move(cycle);
      }
      if (best.size() == 2 || budget_.left == 0) {
        break;
      }
    }
    return best;
  }

  /// Breadth-first, within the component; there is such a cycle.
  ArcPath through(std::uint32_t start) {
    ++now_;
    std::vector<std::uint32_t> reached = {start};
    for (std::size_t i = 0;; ++i) {
      for (const std::uint32_t arc : leaving_.of(reached[i])) {
        const std::uint32_t to = arcs_[arc].to;
        (void)budget_.spend(1);
        if (to == start) {
          return path_to(arc, start);
        }
        if (round_[to] != now_ && components_.of[to] == components_.of[start]) {
          round_[to] = now_;
          by_[to] = arc;
          reached.push_back(to);
        }
      }
    }
  }

  [[nodiscard]] ArcPath path_to(std::uint32_t last, std::uint32_t start) const {
    ArcPath path = {last};
    while (arcs_[path.back()].from != start) {
      path.push_back(by_[arcs_[path.back()].from]);
    }
    std::ranges::reverse(path);
    return path;
  }

  std::span<const Arc> arcs_;
  ArcBudget& budget_;
  Adjacency leaving_;
  std::vector<std::uint32_t> by_;
  std::vector<std::uint32_t> round_;
  std::uint32_t now_ = 0;
  Components components_;
};

}  // namespace

std::vector<ArcPath> cycles_of(std::uint32_t vertex_count, std::span<const Arc> arcs,
                               std::size_t limit, ArcBudget& budget) {
  (void)budget.spend(vertex_count + arcs.size());
  return CycleFinder(vertex_count, arcs, budget).find(limit);
}

std::vector<std::uint32_t> order_by_rank(std::uint32_t vertex_count, std::span<const Arc> arcs,
                                         std::span<const std::uint32_t> ranks) {
  const Adjacency leaving = arcs_by_vertex(vertex_count, arcs);
  std::vector<std::uint32_t> waits_for(vertex_count, 0);
  for (const Arc& arc : arcs) {
    ++waits_for[arc.to];
  }
  using Entry = std::pair<std::uint32_t, std::uint32_t>;  // rank and vertex
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    if (waits_for[v] == 0) {
      ready.emplace(ranks[v], v);
    }
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    order.push_back(ready.top().second);
    ready.pop();
    for (const std::uint32_t arc : leaving.of(order.back())) {
      const std::uint32_t to = arcs[arc].to;
      if (--waits_for[to] == 0) {
        ready.emplace(ranks[to], to);
      }
    }
  }
  return order;
}

PathFinder::PathFinder(std::uint32_t vertex_count, std::span<const Arc> arcs,
                       std::vector<std::uint32_t> places)
    : arcs_(arcs),
      places_(std::move(places)),
      leaving_(arcs_by_vertex(vertex_count, arcs)),
      by_(vertex_count),
      round_(vertex_count, 0) {}

void PathFinder::begin(std::span<const std::uint32_t> sources, std::uint32_t bound) {
  ++now_;
  reached_.clear();
  for (const std::uint32_t source : sources) {
    visit(source, kNoArc, bound);
  }
}

void PathFinder::visit(std::uint32_t vertex, std::uint32_t by, std::uint32_t bound) {
  if (round_[vertex] != now_ && places_[vertex] < bound) {
    round_[vertex] = now_;
    by_[vertex] = by;
    reached_.push_back(vertex);
  }
}

ArcPath PathFinder::path_to(std::uint32_t arc) const {
  ArcPath path = {arc};
  while (by_[arcs_[path.back()].from] != kNoArc) {
    path.push_back(by_[arcs_[path.back()].from]);
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace elapid
