#include "engine/graph/reachability.h"

#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

std::vector<std::pair<std::uint32_t, std::uint32_t>> all_pairs(std::uint32_t vertices) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t from = 0; from < vertices; ++from) {
    for (std::uint32_t to = 0; to < vertices; ++to) {
      pairs.emplace_back(from, to);
    }
  }
  return pairs;
}

/// More components than one pass takes sources.
RandomGraph wide_graph() {
  std::mt19937 random(7);
  RandomGraph graph{.vertices = 700};
  for (int edges = 0; edges < 600; ++edges) {
    const auto from = static_cast<std::uint32_t>(random() % graph.vertices);
    const auto to = static_cast<std::uint32_t>(random() % graph.vertices);
    graph.edges.push_back({from, to, kWwEdge});
  }
  return graph;
}

/// By vertex and vertex, as closure(), by a breadth-first search from each.
std::vector<std::vector<bool>> search_from_each(const Digraph& graph, EdgeLabel mask) {
  std::vector<std::vector<bool>> reaches;
  for (std::uint32_t start = 0; start < graph.vertex_count(); ++start) {
    std::vector<bool>& seen = reaches.emplace_back(graph.vertex_count(), false);
    std::vector<std::uint32_t> queue = {start};
    seen[start] = true;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (std::uint32_t e = graph.row_begin(queue[at]); e < graph.row_end(queue[at]); ++e) {
        if ((graph.label(e) & mask) != 0 && !seen[graph.target(e)]) {
          seen[graph.target(e)] = true;
          queue.push_back(graph.target(e));
        }
      }
    }
  }
  return reaches;
}

void compare(const RandomGraph& random, EdgeLabel mask) {
  const auto expected = search_from_each(random.digraph(), mask);
  const auto pairs = all_pairs(random.vertices);
  SearchBudget budget(1'000'000'000);
  const std::vector<bool> answers = reachable(random.digraph(), mask, pairs, budget);
  REQUIRE(answers.size() == pairs.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    wrong += answers[i] != expected[pairs[i].first][pairs[i].second] ? 1U : 0U;
  }
  CHECK(wrong == 0);
}

TEST_CASE("reachability: agrees with a search from each vertex") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    compare(random_graph(seed, 9, 18, {kWwEdge, kWrEdge, kRwEdge}), kWwEdge | kWrEdge);
  }
}

TEST_CASE("reachability: more sources than one pass takes") {
  compare(wide_graph(), kWwEdge);
}

TEST_CASE("reachability: pairs may repeat and come in any order, and loops are harmless") {
  const std::vector<LabelledEdge> edges = {{0, 1, kWwEdge}, {1, 1, kWwEdge}, {1, 2, kWrEdge}};
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs = {
      {1, 0}, {0, 1}, {2, 2}, {0, 1}, {0, 2}};
  SearchBudget budget(1000);
  CHECK(reachable(Digraph(3, edges), kWwEdge, pairs, budget) ==
        std::vector{false, true, true, true, false});
}

TEST_CASE("reachability: what is answered before the budget ends is right, the rest is false") {
  const RandomGraph random = wide_graph();
  const Digraph graph = random.digraph();
  const auto expected = search_from_each(graph, kWwEdge);
  const auto pairs = all_pairs(random.vertices);
  SearchBudget one_pass(graph.edge_count() + graph.vertex_count());
  const std::vector<bool> answers = reachable(graph, kWwEdge, pairs, one_pass);
  std::size_t reached = 0;
  std::size_t missed = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool reaches = expected[pairs[i].first][pairs[i].second];
    reached += answers[i] ? 1U : 0U;
    missed += reaches && !answers[i] ? 1U : 0U;
    wrong += answers[i] && !reaches ? 1U : 0U;
  }
  CHECK(one_pass.exhausted());
  CHECK(reached >= 512);
  CHECK(missed > 0);
  CHECK(wrong == 0);
}

TEST_CASE("reachability: without budget nothing is reached") {
  const std::vector<LabelledEdge> edges = {{0, 1, kWwEdge}};
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs = {{0, 1}};
  SearchBudget budget(0);
  CHECK(reachable(Digraph(2, edges), kWwEdge, pairs, budget) == std::vector{false});
  CHECK(budget.exhausted());
}

}  // namespace
}  // namespace elapid
