#include "engine/elle/path_search.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "engine/elle/champ_order.h"
#include "tests/unit/engine/graph/closed_walks.h"
#include "tests/unit/engine/graph/random_graph.h"

namespace elapid::elle {
namespace {

std::vector<std::int64_t> indices_of(const Digraph& graph) {
  std::vector<std::int64_t> indices(graph.vertex_count());
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

bool any_simple(const std::vector<std::vector<CycleEdge>>& walks, const CycleQuery& query) {
  return std::any_of(walks.begin(), walks.end(), [&](const std::vector<CycleEdge>& walk) {
    return is_simple(walk) && is_of_class(query, walk);
  });
}

/// Sample queries with real time in the place of sessions.
std::vector<CycleQuery> realtime_queries() {
  std::vector<CycleQuery> queries = sample_queries();
  const auto replace = [](EdgeLabel& labels) {
    if ((labels & kProcessEdge) != 0) {
      labels = static_cast<EdgeLabel>((labels & ~kProcessEdge) | kRealtimeEdge);
    }
  };
  for (CycleQuery& query : queries) {
    replace(query.base);
    std::for_each(query.required.begin(), query.required.end(), replace);
  }
  return queries;
}

TEST_CASE("path search: finds a simple cycle of the class exactly where there is one") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const Digraph graph =
        random_graph(seed, 5, 9, {kWwEdge, kWrEdge, kRwEdge, kRwEdge, kProcessEdge}).digraph();
    const auto walks = closed_walks(graph, graph.vertex_count());
    const std::vector<CycleQuery> queries = sample_queries();
    for (std::size_t q = 0; q < queries.size(); ++q) {
      INFO("seed " << seed << ", query " << q);
      SearchBudget budget(1'000'000);
      const PathSearchResult found = first_cycle(graph, indices_of(graph), queries[q], budget);
      CHECK_FALSE(found.out_of_budget);
      CHECK(found.cycle.empty() == !any_simple(walks, queries[q]));
      if (!found.cycle.empty()) {
        CHECK(is_closed_walk(graph, found.cycle));
        CHECK(is_simple(found.cycle));
        CHECK(is_of_class(queries[q], found.cycle));
      }
    }
  }
}

TEST_CASE("path search: a cycle found in time is of the class, and silence in time is proof") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    const Digraph graph =
        random_graph(seed, 6, 12, {kWwEdge, kWrEdge, kRwEdge, kRwEdge, kRealtimeEdge}).digraph();
    const auto walks = closed_walks(graph, graph.vertex_count());
    for (const CycleQuery& query : realtime_queries()) {
      for (const std::uint64_t visits : {0U, 1U, 4U, 16U, 1'000'000U}) {
        INFO("seed " << seed << ", visits " << visits);
        SearchBudget budget(visits);
        const PathSearchResult found = first_cycle(graph, indices_of(graph), query, budget);
        CHECK((visits < 100 || !found.out_of_budget));
        if (!found.cycle.empty()) {
          CHECK(is_closed_walk(graph, found.cycle));
          CHECK(is_simple(found.cycle));
          CHECK(is_of_class(query, found.cycle));
        } else if (!found.out_of_budget) {
          CHECK_FALSE(any_simple(walks, query));
        }
      }
    }
  }
}

TEST_CASE("path search: the first vertex in the trie's order that can start wins") {
  const std::vector<LabelledEdge> edges = {
      {0, 1, kWwEdge}, {1, 0, kWwEdge}, {2, 3, kWwEdge}, {3, 2, kWwEdge}};
  const Digraph graph(4, edges);
  const std::vector<std::int64_t> indices = {10, 11, 12, 13};
  SearchBudget budget(1000);
  const PathSearchResult found = first_cycle(graph, indices, {.base = kWwEdge}, budget);
  REQUIRE(found.cycle.size() == 2);
  CHECK(found.cycle.front().from == champ_order(indices).front());
}

TEST_CASE("path search: out of budget is said") {
  const std::vector<LabelledEdge> edges = {{0, 1, kWwEdge}, {1, 2, kWwEdge}, {2, 0, kWwEdge}};
  const Digraph graph(3, edges);
  SearchBudget budget(2);
  const PathSearchResult found = first_cycle(graph, indices_of(graph), {.base = kWwEdge}, budget);
  CHECK(found.cycle.empty());
  CHECK(found.out_of_budget);
}

}  // namespace
}  // namespace elapid::elle
