#include "engine/graph/incremental_order.h"

#include <catch2/catch.hpp>
#include <random>

#include "tests/support/sample_size.h"
#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

using Edge = IncrementalOrder::Edge;

bool respects(const IncrementalOrder& order) {
  for (std::uint32_t e = 0; e < order.edge_count(); ++e) {
    if (order.position(order.edge(e).first) >= order.position(order.edge(e).second)) {
      return false;
    }
  }
  return true;
}

std::vector<std::uint32_t> numbers(std::uint32_t count) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < count; ++i) {
    all.push_back(i);
  }
  return all;
}

TEST_CASE("edges are taken unless they close a cycle, and taken back") {
  for (std::uint32_t seed = 1; seed <= round_count(300, 3'000); ++seed) {
    INFO("seed " << seed);
    const RandomGraph graph = random_graph(seed, 20, 60, {kWwEdge});
    IncrementalOrder order(graph.vertices, {}, numbers(graph.vertices));
    std::mt19937 random(seed);
    RandomGraph kept{.vertices = graph.vertices};
    for (const LabelledEdge& edge : graph.edges) {
      const bool closes = closure(kept, kWwEdge)[edge.to][edge.from];
      REQUIRE(order.insert(edge.from, edge.to) == !closes);
      if (!closes) {
        kept.edges.push_back(edge);
      }
      while (!kept.edges.empty() && random() % 4 == 0) {
        order.remove_last();
        kept.edges.pop_back();
      }
      REQUIRE(order.edge_count() == kept.edges.size());
      REQUIRE(respects(order));
    }
  }
}

TEST_CASE("a path is found from both ends, if there is one") {
  for (std::uint32_t seed = 1; seed <= round_count(100, 1'000); ++seed) {
    INFO("seed " << seed);
    const RandomGraph graph = random_graph(seed, 20, 40, {kWwEdge});
    IncrementalOrder order(graph.vertices, {}, numbers(graph.vertices));
    RandomGraph kept{.vertices = graph.vertices};
    for (const LabelledEdge& edge : graph.edges) {
      if (order.insert(edge.from, edge.to)) {
        kept.edges.push_back(edge);
      }
    }
    const auto reaches = closure(kept, kWwEdge);
    for (std::uint32_t from = 0; from < graph.vertices; ++from) {
      for (std::uint32_t to = 0; to < graph.vertices; ++to) {
        REQUIRE(order.reaches(from, to) == (from == to || reaches[from][to]));
      }
    }
  }
}

TEST_CASE("the edges given at first stay") {
  const std::vector<Edge> permanent = {{2, 0}, {0, 1}};
  IncrementalOrder order(3, permanent, std::vector<std::uint32_t>{2, 0, 1});
  CHECK(order.edge_count() == 2);
  CHECK_FALSE(order.insert(1, 2));
  CHECK_FALSE(order.insert(1, 1));
  CHECK(order.insert(2, 1));
}

TEST_CASE("the cheapest path avoids dear edges, not long ways") {
  IncrementalOrder order(4, {{0, 1}, {1, 2}, {2, 3}}, numbers(4));
  REQUIRE(order.insert(0, 3));
  const auto is_added = [](std::uint32_t edge) { return edge >= 3; };
  CHECK(order.cheapest_path(0, 3, is_added) == std::vector<std::uint32_t>{0, 1, 2});
  const auto is_permanent = [](std::uint32_t edge) { return edge < 3; };
  CHECK(order.cheapest_path(0, 3, is_permanent) == std::vector<std::uint32_t>{3});
}

}  // namespace
}  // namespace elapid
