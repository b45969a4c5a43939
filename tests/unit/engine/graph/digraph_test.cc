#include "engine/graph/digraph.h"

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <utility>

#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

TEST_CASE("digraph: parallel edges become one with all their labels") {
  const std::array edges = {LabelledEdge{0, 2, kWwEdge}, LabelledEdge{0, 1, kRwEdge},
                            LabelledEdge{0, 2, kWrEdge}, LabelledEdge{2, 2, kWwEdge}};
  const Digraph graph(4, edges);
  CHECK(graph.vertex_count() == 4);
  CHECK(graph.edge_count() == 3);
  CHECK(graph.label_between(0, 2) == (kWwEdge | kWrEdge));
  CHECK(graph.label_between(0, 1) == kRwEdge);
  CHECK(graph.label_between(2, 2) == kWwEdge);
  CHECK(graph.label_between(2, 0) == 0);
  CHECK(graph.label_between(3, 3) == 0);
}

TEST_CASE("digraph: rows are sorted by target") {
  const std::array edges = {LabelledEdge{1, 3, kWwEdge}, LabelledEdge{1, 0, kWwEdge},
                            LabelledEdge{1, 2, kWwEdge}};
  const Digraph graph(4, edges);
  REQUIRE(graph.row_end(1) - graph.row_begin(1) == 3);
  CHECK(graph.target(graph.row_begin(1)) == 0);
  CHECK(graph.target(graph.row_begin(1) + 1) == 2);
  CHECK(graph.target(graph.row_begin(1) + 2) == 3);
  CHECK(graph.row_begin(0) == graph.row_end(0));
}

TEST_CASE("digraph: every edge is there once, whatever order they come in") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    RandomGraph random = random_graph(seed, 6, 30, {kWwEdge, kWrEdge, kRwEdge, kRealtimeEdge});
    random.edges.push_back({1, 1, kWwEdge});
    std::map<std::pair<std::uint32_t, std::uint32_t>, EdgeLabel> expected;
    for (const LabelledEdge& edge : random.edges) {
      expected[{edge.from, edge.to}] |= edge.label;
    }
    const Digraph graph = random.digraph();
    CHECK(graph.edge_count() == expected.size());
    auto next = expected.begin();
    for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
      for (std::uint32_t e = graph.row_begin(v); e < graph.row_end(v); ++e, ++next) {
        REQUIRE(next != expected.end());
        CHECK(next->first == std::pair(v, graph.target(e)));
        CHECK(next->second == graph.label(e));
        CHECK(next->second == graph.label_between(v, graph.target(e)));
      }
    }
  }
}

TEST_CASE("digraph: an empty graph has no vertices") {
  CHECK(Digraph().vertex_count() == 0);
  CHECK(Digraph(0, {}).edge_count() == 0);
}

}  // namespace
}  // namespace elapid
