#include "engine/graph/scc.h"

#include <catch2/catch.hpp>

#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

constexpr EdgeLabel kMask = kWwEdge | kWrEdge;

TEST_CASE("scc: components are what vertices reach one another, in reverse topological order") {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const RandomGraph random = random_graph(seed, 8, 16, {kWwEdge, kWrEdge, kRwEdge});
    const auto reaches = closure(random, kMask);
    const Digraph graph = random.digraph();
    const Components components =
        strong_components(graph.vertex_count(), MaskedSuccessors(graph, kMask));
    INFO("seed " << seed);
    for (std::uint32_t a = 0; a < random.vertices; ++a) {
      for (std::uint32_t b = 0; b < random.vertices; ++b) {
        CHECK((components.of[a] == components.of[b]) == (reaches[a][b] && reaches[b][a]));
        CHECK((!reaches[a][b] || components.of[a] >= components.of[b]));
      }
    }
  }
}

TEST_CASE("scc: groups are ordered by first member and leave out small components") {
  const std::vector<LabelledEdge> edges = {
      {1, 4, kWwEdge}, {4, 1, kWwEdge}, {0, 3, kWwEdge}, {3, 5, kWwEdge}, {5, 0, kWwEdge}};
  const Digraph graph(6, edges);
  const Components components = strong_components(6, MaskedSuccessors(graph, kWwEdge));
  CHECK(components.count == 3);
  CHECK(components.groups() == std::vector<std::vector<std::uint32_t>>{{0, 3, 5}, {1, 4}});
  CHECK(components.groups(3) == std::vector<std::vector<std::uint32_t>>{{0, 3, 5}});
  CHECK(components.groups(1).size() == 3);
}

TEST_CASE("scc: a self loop makes no component larger") {
  const std::vector<LabelledEdge> edges = {{0, 0, kWwEdge}, {0, 1, kWwEdge}, {1, 1, kWwEdge}};
  const Digraph graph(2, edges);
  const Components components = strong_components(2, MaskedSuccessors(graph, kWwEdge));
  CHECK(components.count == 2);
  CHECK(components.groups().empty());
  CHECK(strong_components(0, MaskedSuccessors(Digraph(), kWwEdge)).groups(1).empty());
}

TEST_CASE("scc: depth costs no stack") {
  constexpr std::uint32_t kVertices = 300'000;
  std::vector<LabelledEdge> edges;
  for (std::uint32_t v = 0; v < kVertices; ++v) {
    edges.push_back({v, (v + 1) % kVertices, kWwEdge});
  }
  const Digraph graph(kVertices, edges);
  CHECK(strong_components(kVertices, MaskedSuccessors(graph, kWwEdge)).count == 1);
}

}  // namespace
}  // namespace elapid
