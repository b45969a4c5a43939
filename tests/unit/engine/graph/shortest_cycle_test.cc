#include "engine/graph/shortest_cycle.h"

#include <catch2/catch.hpp>
#include <optional>

#include "tests/unit/engine/graph/closed_walks.h"
#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

constexpr std::size_t kMostSteps = 7;

/// Length of the shortest walk of the class, if that is at most kMostSteps.
std::optional<std::size_t> shortest_length(const std::vector<std::vector<CycleEdge>>& walks,
                                           const CycleQuery& query) {
  std::optional<std::size_t> shortest;
  for (const std::vector<CycleEdge>& walk : walks) {
    if (is_of_class(query, walk) && (!shortest || walk.size() < *shortest)) {
      shortest = walk.size();
    }
  }
  return shortest;
}

void compare(const Digraph& graph, const CycleQuery& query, std::optional<std::size_t> expected) {
  SearchBudget budget(1'000'000);
  const ShortestCycleResult found = shortest_cycle(graph, query, budget);
  CHECK_FALSE(found.out_of_budget);
  CHECK(has_closed_walk(graph, query, budget) == !found.walk.empty());
  if (expected) {
    CHECK(found.walk.size() == *expected);
  }
  if (!found.walk.empty()) {
    CHECK((expected || found.walk.size() > kMostSteps));
    CHECK(is_closed_walk(graph, found.walk));
    CHECK(is_of_class(query, found.walk));
  }
}

TEST_CASE("shortest cycle: agrees with all closed walks of small graphs") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const Digraph graph =
        random_graph(seed, 5, 9, {kWwEdge, kWrEdge, kRwEdge, kRwEdge, kProcessEdge}).digraph();
    const std::vector<std::vector<CycleEdge>> walks = closed_walks(graph, kMostSteps);
    const std::vector<CycleQuery> queries = sample_queries();
    for (std::size_t q = 0; q < queries.size(); ++q) {
      INFO("seed " << seed << ", query " << q);
      compare(graph, queries[q], shortest_length(walks, queries[q]));
    }
  }
}

TEST_CASE("shortest cycle: some walk is found whatever the budget, if not the shortest") {
  const std::vector<LabelledEdge> edges = {
      {0, 1, kWwEdge}, {1, 2, kWwEdge}, {2, 0, kWwEdge}, {3, 1, kWwEdge}, {1, 3, kWwEdge}};
  const Digraph graph(4, edges);
  SearchBudget budget(1);
  const ShortestCycleResult found = shortest_cycle(graph, {.base = kWwEdge}, budget);
  CHECK(is_closed_walk(graph, found.walk));
  CHECK(found.out_of_budget);
}

TEST_CASE("shortest cycle: but one with a single anti-dependency") {
  const std::vector<LabelledEdge> edges = {{0, 1, kRwEdge}, {1, 2, kWwEdge}, {2, 0, kWwEdge}};
  const Digraph graph(3, edges);
  const CycleQuery query{.base = kWwEdge, .rw = kRwEdge, .mode = RwMode::kSingle};
  SearchBudget budget(1);
  const ShortestCycleResult found = shortest_cycle(graph, query, budget);
  CHECK(found.walk.empty());
  CHECK(found.out_of_budget);
  SearchBudget none(0);
  CHECK(has_closed_walk(graph, query, none));
}

TEST_CASE("simple cycles: a walk that passes a vertex twice is split there") {
  const std::vector<CycleEdge> walk = {
      {0, 1, kWwEdge}, {1, 2, kRwEdge}, {2, 1, kWrEdge}, {1, 0, kWwEdge}};
  const auto cycles = simple_cycles(walk);
  REQUIRE(cycles.size() == 2);
  std::size_t steps = 0;
  for (const std::vector<CycleEdge>& cycle : cycles) {
    CHECK(is_simple(cycle));
    CHECK(cycle.front().from == cycle.back().to);
    steps += cycle.size();
  }
  CHECK(steps == walk.size());
  CHECK(simple_cycles({}).empty());
}

}  // namespace
}  // namespace elapid
