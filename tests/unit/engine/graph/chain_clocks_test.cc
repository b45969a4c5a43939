#include "engine/graph/chain_clocks.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// The edges of a random graph that lead from a smaller number to a larger one.
std::vector<Edge> acyclic_edges(const RandomGraph& graph) {
  std::vector<Edge> edges;
  for (const LabelledEdge& edge : graph.edges) {
    edges.emplace_back(std::min(edge.from, edge.to), std::max(edge.from, edge.to));
  }
  return edges;
}

Adjacency graph_of(std::uint32_t vertices, const std::vector<Edge>& edges) {
  return {vertices, edges, [](const Edge& edge) { return edge; }};
}

/// By vertex and vertex, whether edges lead from the first to the second.
std::vector<std::vector<bool>> reaches(std::uint32_t vertices, const std::vector<Edge>& edges) {
  RandomGraph graph{.vertices = vertices};
  for (const auto& [from, to] : edges) {
    graph.edges.push_back({from, to, kWwEdge});
  }
  return closure(graph, kWwEdge);
}

void check_clocks(const ChainClocks& clocks, const std::vector<std::vector<bool>>& expected) {
  const auto n = static_cast<std::uint32_t>(expected.size());
  for (std::uint32_t from = 0; from < n; ++from) {
    for (std::uint32_t to = 0; to < n; ++to) {
      const std::uint32_t chain = clocks.chains().chain[to];
      REQUIRE(clocks.reaches(from, to) == expected[from][to]);
      REQUIRE((clocks.after(from)[chain] <= clocks.chains().position[to]) == expected[from][to]);
    }
  }
}

TEST_CASE("a topological order leaves out what cycles lead to") {
  CHECK(topological_order(graph_of(3, {{2, 0}, {0, 1}})) == std::vector<std::uint32_t>{2, 0, 1});
  CHECK(topological_order(graph_of(4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}})) ==
        std::vector<std::uint32_t>{0});
}

TEST_CASE("chains cover a graph, and each is a path") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const RandomGraph graph = random_graph(seed, 30, 60, {kWwEdge});
    const std::vector<Edge> edges = acyclic_edges(graph);
    const Adjacency next = graph_of(graph.vertices, edges);
    const Chains chains = cover_with_chains(next, topological_order(next));
    const auto reachable = reaches(graph.vertices, edges);
    for (std::uint32_t a = 0; a < graph.vertices; ++a) {
      REQUIRE(chains.chain[a] < chains.count);
      for (std::uint32_t b = 0; b < graph.vertices; ++b) {
        if (chains.chain[a] == chains.chain[b] && chains.position[a] < chains.position[b]) {
          REQUIRE(reachable[a][b]);
        }
      }
    }
  }
}

TEST_CASE("clocks tell reachability while edges are added") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    const RandomGraph graph = random_graph(seed, 25, 60, {kWwEdge});
    const std::vector<Edge> all = acyclic_edges(graph);
    std::vector<Edge> edges(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
    Adjacency next = graph_of(graph.vertices, edges);
    ChainClocks clocks(cover_with_chains(next, topological_order(next)));
    REQUIRE(clocks.update(next, topological_order(next)));
    check_clocks(clocks, reaches(graph.vertices, edges));
    for (std::size_t i = edges.size(); i < all.size(); i += 5) {
      for (std::size_t j = i; j < std::min(i + 5, all.size()); ++j) {
        edges.push_back(all[j]);
        clocks.note(all[j].first, all[j].second);
      }
      next = graph_of(graph.vertices, edges);
      REQUIRE(clocks.update(next, topological_order(next)));
      check_clocks(clocks, reaches(graph.vertices, edges));
    }
  }
}

TEST_CASE("clocks say which vertices have changed") {
  const Adjacency before = graph_of(4, {{0, 1}, {2, 3}});
  ChainClocks clocks(cover_with_chains(before, topological_order(before)));
  REQUIRE(clocks.update(before, topological_order(before)));
  CHECK(clocks.changed_before(1));
  clocks.note(1, 2);
  const Adjacency after = graph_of(4, {{0, 1}, {2, 3}, {1, 2}});
  REQUIRE(clocks.update(after, topological_order(after)));
  CHECK(clocks.changed_before(3));
  CHECK(clocks.changed_after(0));
  CHECK_FALSE(clocks.changed_before(1));
  CHECK_FALSE(clocks.changed_after(2));
}

TEST_CASE("clocks are given up when they take too long") {
  constexpr std::uint32_t kMany = 3000;  // chains of one vertex, but for the first one
  std::vector<Edge> edges;
  for (std::uint32_t v = 1; v < kMany; ++v) {
    edges.emplace_back(0, v);
  }
  const Adjacency next = graph_of(kMany, edges);
  const std::vector<std::uint32_t> order = topological_order(next);
  int asked = 0;
  ChainClocks patient(cover_with_chains(next, order));
  CHECK(patient.update(next, order, [&] { return ++asked > 0; }));
  CHECK(asked > 0);
  ChainClocks impatient(cover_with_chains(next, order));
  CHECK_FALSE(impatient.update(next, order, [] { return false; }));
}

}  // namespace
}  // namespace elapid
