#include "engine/graph/biconnected.h"

#include <algorithm>
#include <limits>

#include "engine/graph/adjacency.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Searches depth-first, from one vertex after the other.
class BlockSearch {
 public:
  BlockSearch(std::uint32_t vertex_count, std::span<const UndirectedEdge> edges)
      : edges_(edges), low_(vertex_count, 0), number_(vertex_count, kNone) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      ends.emplace_back(edges[e].first, e);
      ends.emplace_back(edges[e].second, e);
    }
    incident_ = Adjacency(vertex_count, ends, [](const auto& end) { return end; });
    result_.of_edge.assign(edges.size(), kNone);
  }

  BiconnectedComponents run() && {
    for (std::uint32_t v = 0; v < number_.size(); ++v) {
      if (number_[v] == kNone) {
        search(v);
      }
    }
    return std::move(result_);
  }

 private:
  struct Frame {
    std::uint32_t vertex;
    std::uint32_t by_edge;
    std::uint32_t cursor = 0;
  };

  void enter(std::uint32_t vertex, std::uint32_t by_edge) {
    number_[vertex] = low_[vertex] = next_number_++;
    path_.push_back({vertex, by_edge});
  }

  void search(std::uint32_t root) {
    enter(root, kNone);
    while (!path_.empty()) {
      Frame& top = path_.back();
      std::uint32_t edge = 0;
      if (incident_.next(top.vertex, top.cursor, edge)) {
        follow(top.vertex, top.by_edge, edge);
      } else {
        leave(top);
      }
    }
  }

  void follow(std::uint32_t vertex, std::uint32_t by_edge, std::uint32_t edge) {
    const auto [a, b] = edges_[edge];
    const std::uint32_t to = a == vertex ? b : a;
    if (edge == by_edge || (number_[to] != kNone && number_[to] > number_[vertex])) {
      return;  // seen from the other end
    }
    open_edges_.push_back(edge);
    if (number_[to] == kNone) {
      enter(to, edge);
    } else {
      low_[vertex] = std::min(low_[vertex], number_[to]);
    }
  }

  void leave(Frame left) {
    path_.pop_back();
    if (path_.empty()) {
      return;
    }
    const std::uint32_t parent = path_.back().vertex;
    low_[parent] = std::min(low_[parent], low_[left.vertex]);
    if (low_[left.vertex] >= number_[parent]) {  // nothing leads past the parent
      close(left.by_edge);
    }
  }

  /// The edges from this one on are a component.
  void close(std::uint32_t first) {
    std::uint32_t edge = kNone;
    do {
      edge = open_edges_.back();
      open_edges_.pop_back();
      result_.of_edge[edge] = result_.count;
    } while (edge != first);
    ++result_.count;
  }

  std::span<const UndirectedEdge> edges_;
  Adjacency incident_;  // edges of each vertex
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> number_;  // in the order of discovery
  std::uint32_t next_number_ = 0;
  std::vector<Frame> path_;
  std::vector<std::uint32_t> open_edges_;
  BiconnectedComponents result_;
};

}  // namespace

BiconnectedComponents biconnected_components(std::uint32_t vertex_count,
                                             std::span<const UndirectedEdge> edges) {
  return BlockSearch(vertex_count, edges).run();
}

}  // namespace elapid
