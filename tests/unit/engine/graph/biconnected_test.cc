#include "engine/graph/biconnected.h"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

using Edges = std::vector<UndirectedEdge>;

std::vector<std::uint32_t> components(std::uint32_t vertex_count, const Edges& edges) {
  return biconnected_components(vertex_count, edges).of_edge;
}

/// Whether the two are joined by edges that do not touch `without`.
bool are_joined(std::uint32_t from, std::uint32_t to, std::uint32_t without, const Edges& edges,
                std::uint32_t vertex_count) {
  std::vector<bool> reached(vertex_count, false);
  reached[from] = true;
  for (std::uint32_t round = 0; round < vertex_count; ++round) {
    for (const auto& [a, b] : edges) {
      if (a != without && b != without && (reached[a] || reached[b])) {
        reached[a] = reached[b] = true;
      }
    }
  }
  return reached[to];
}

/// By definition: two edges are in one component iff they share a vertex and stay connected without
/// it, or if a chain of such pairs connects them.
bool is_biconnected(std::uint32_t e, std::uint32_t f, const Edges& edges,
                    std::uint32_t vertex_count) {
  const auto [a, b] = edges[e];
  const auto [c, d] = edges[f];
  const auto around = [&](std::uint32_t shared, std::uint32_t x, std::uint32_t y) {
    return x == y || are_joined(x, y, shared, edges, vertex_count);
  };
  return (a == c && around(a, b, d)) || (a == d && around(a, b, c)) ||
         (b == c && around(b, a, d)) || (b == d && around(b, a, c));
}

/// The component of each edge, named by its first edge.
std::vector<std::uint32_t> by_definition(std::uint32_t vertex_count, const Edges& edges) {
  std::vector<std::uint32_t> of_edge;
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    of_edge.push_back(e);
  }
  for (std::uint32_t round = 0; round < edges.size(); ++round) {
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      for (std::uint32_t f = 0; f < edges.size(); ++f) {
        if (of_edge[f] < of_edge[e] && is_biconnected(e, f, edges, vertex_count)) {
          of_edge[e] = of_edge[f];
        }
      }
    }
  }
  return of_edge;
}

TEST_CASE("biconnected: small graphs") {
  CHECK(components(3, {}).empty());
  const std::vector<std::uint32_t> path = components(3, {{0, 1}, {1, 2}});
  CHECK(path[0] != path[1]);
  CHECK(components(3, {{0, 1}, {1, 2}, {2, 0}}) == std::vector<std::uint32_t>{0, 0, 0});
  CHECK(components(2, {{0, 1}, {1, 0}}) == std::vector<std::uint32_t>{0, 0});
  const Edges two_triangles = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}};
  const std::vector<std::uint32_t> of_edge = components(5, two_triangles);
  CHECK(of_edge[0] == of_edge[2]);
  CHECK(of_edge[3] == of_edge[5]);
  CHECK(of_edge[0] != of_edge[3]);
}

TEST_CASE("biconnected: random graphs agree with the definition") {
  for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
    const RandomGraph graph = random_graph(seed, 9, 12, {1});
    Edges edges;
    for (const LabelledEdge& edge : graph.edges) {
      edges.emplace_back(edge.from, edge.to);
    }
    const std::vector<std::uint32_t> expected = by_definition(graph.vertices, edges);
    const BiconnectedComponents found = biconnected_components(graph.vertices, edges);
    INFO("seed " << seed);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      REQUIRE(found.of_edge[e] < found.count);
      for (std::size_t f = 0; f < e; ++f) {
        REQUIRE((found.of_edge[e] == found.of_edge[f]) == (expected[e] == expected[f]));
      }
    }
  }
}

TEST_CASE("biconnected: a long path takes no stack") {
  constexpr std::uint32_t kLength = 300'000;
  Edges edges;
  for (std::uint32_t v = 1; v < kLength; ++v) {
    edges.emplace_back(v - 1, v);
  }
  CHECK(biconnected_components(kLength, edges).count == kLength - 1);
  edges.emplace_back(kLength - 1, 0);
  CHECK(biconnected_components(kLength, edges).count == 1);
}

}  // namespace
}  // namespace elapid
