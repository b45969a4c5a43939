#include "engine/graph/adjacency.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;
using Order = std::vector<std::uint32_t>;

Adjacency successors(std::uint32_t vertices, const std::vector<Edge>& edges) {
  return {vertices, edges, [](const Edge& edge) { return edge; }};
}

TEST_CASE("by depth, what hangs on a long path comes where that path is") {
  // 0 to 3 are a path; 4 leads to its end, and 5 comes from its beginning: each has no other bond.
  const Adjacency next = successors(6, {{0, 1}, {1, 2}, {2, 3}, {4, 3}, {0, 5}});
  CHECK(order_by_depth(next, topological_order(next)) == Order{0, 1, 4, 2, 5, 3});
}

TEST_CASE("an order by depth is topological, whatever it was made from") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const RandomGraph graph = random_graph(seed, 25, 60, {kWwEdge});
    std::vector<Edge> edges;
    for (const LabelledEdge& edge : graph.edges) {
      if (edge.from < edge.to) {
        edges.emplace_back(edge.from, edge.to);
      }
    }
    const Adjacency next = successors(graph.vertices, edges);
    Order ascending(graph.vertices);
    for (std::uint32_t v = 0; v < graph.vertices; ++v) {
      ascending[v] = v;
    }
    const Order order = order_by_depth(next, topological_order(next));
    CHECK(order == order_by_depth(next, ascending));
    Order place(graph.vertices);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
    }
    for (const auto& [from, to] : edges) {
      CHECK(place[from] < place[to]);
    }
  }
}

}  // namespace
}  // namespace elapid
