#include "engine/graph/shortest_cycle.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "tests/support/sample_size.h"
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

/// The same without a bound: from each start in turn, all that walks of one, two, three ... steps
/// may have taken so far, until nothing new appears.
class ShortestByLayers {
 public:
  ShortestByLayers(const Digraph& graph, const CycleQuery& query) : graph_(graph), query_(query) {}

  [[nodiscard]] std::optional<std::size_t> length() const {
    std::optional<std::size_t> shortest;
    for (std::uint32_t start = 0; start < graph_.vertex_count(); ++start) {
      const std::optional<std::size_t> length = from(start);
      if (length && (!shortest || *length < *shortest)) {
        shortest = length;
      }
    }
    return shortest;
  }

 private:
  struct Taken {
    std::uint32_t vertex = 0;
    unsigned rw = 0;  // 3: three or more
    bool first_was_rw = false;
    bool last_was_rw = false;
    bool adjacent = false;
    EdgeLabel labels = 0;

    friend auto operator<=>(const Taken&, const Taken&) = default;
  };

  [[nodiscard]] std::optional<std::size_t> from(std::uint32_t start) const {
    std::set<Taken> seen;
    std::set<Taken> layer = {Taken{.vertex = start}};
    for (std::size_t steps = 1; !layer.empty(); ++steps) {
      std::set<Taken> next;
      for (const Taken& taken : layer) {
        each_step(taken, steps == 1, [&](const Taken& longer) {
          if (seen.insert(longer).second) {
            next.insert(longer);
          }
        });
      }
      if (std::any_of(next.begin(), next.end(),
                      [&](const Taken& taken) { return taken.vertex == start && closes(taken); })) {
        return steps;
      }
      layer = std::move(next);
    }
    return std::nullopt;
  }

  template <class Visit>
  void each_step(const Taken& taken, bool first, Visit visit) const {
    for (std::uint32_t e = graph_.row_begin(taken.vertex); e < graph_.row_end(taken.vertex); ++e) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        const auto label =
            static_cast<EdgeLabel>(graph_.label(e) & query_.mentioned() & (1U << bit));
        if (label == 0) {
          continue;
        }
        Taken longer = taken;
        const bool is_rw = (label & query_.rw) != 0;
        longer.vertex = graph_.target(e);
        longer.rw = std::min(taken.rw + (is_rw ? 1U : 0U), 3U);
        longer.first_was_rw = first ? is_rw : taken.first_was_rw;
        longer.adjacent = taken.adjacent || (is_rw && taken.last_was_rw);
        longer.last_was_rw = is_rw;
        longer.labels |= label;
        visit(longer);
      }
    }
  }

  [[nodiscard]] bool closes(const Taken& taken) const {
    const bool adjacent = taken.adjacent || (taken.first_was_rw && taken.last_was_rw);
    for (const EdgeLabel required : query_.required) {
      if (required != 0 && (taken.labels & required) == 0) {
        return false;
      }
    }
    switch (query_.mode) {
      case RwMode::kNone:
        return true;
      case RwMode::kSingle:
        return taken.rw == 1;
      case RwMode::kNonadjacent:
        return taken.rw >= 2 && !adjacent;
      case RwMode::kMultiple:
        return taken.rw >= 2;
    }
    return false;
  }

  const Digraph& graph_;
  const CycleQuery& query_;
};

/// Sample queries and those that speak of real time, or of everything.
std::vector<CycleQuery> more_queries() {
  constexpr EdgeLabel kWwr = kWwEdge | kWrEdge;
  constexpr EdgeLabel kR = kRealtimeEdge;
  std::vector<CycleQuery> queries = sample_queries();
  const std::vector<CycleQuery> more = {
      {.base = kWwEdge | kR, .required = {kR, 0}},
      {.base = kWwr | kProcessEdge | kR, .required = {kProcessEdge, kR}},
      {.base = kWwr | kR, .rw = kRwEdge, .mode = RwMode::kSingle, .required = {kR, kWrEdge}},
      {.base = kWwr | kR, .rw = kRwEdge, .mode = RwMode::kNonadjacent, .required = {kR, kWrEdge}},
      {.base = kWwr | kR | kRwEdge, .rw = kRwEdge, .mode = RwMode::kMultiple, .required = {kR, 0}},
  };
  queries.insert(queries.end(), more.begin(), more.end());
  return queries;
}

Digraph dense_graph(std::uint32_t seed) {
  return random_graph(seed, 6, 16,
                      {kWwEdge, kWrEdge, kRwEdge, kRwEdge, kProcessEdge, kRealtimeEdge})
      .digraph();
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
  for (std::uint32_t seed = 0; seed < round_count(400, 4'000); ++seed) {
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

TEST_CASE("shortest cycle: none is shorter, and where none is found there is none") {
  const std::vector<CycleQuery> queries = more_queries();
  for (std::uint32_t seed = 0; seed < round_count(400, 4'000); ++seed) {
    const Digraph graph = dense_graph(seed);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      INFO("seed " << seed << ", query " << q);
      SearchBudget budget(1'000'000);
      const ShortestCycleResult found = shortest_cycle(graph, queries[q], budget);
      CHECK(found.walk.size() == ShortestByLayers(graph, queries[q]).length().value_or(0));
      CHECK_FALSE(found.out_of_budget);
    }
  }
}

TEST_CASE("shortest cycle: a small budget is said, and what was found in it is right") {
  const std::vector<CycleQuery> queries = more_queries();
  for (std::uint32_t seed = 0; seed < round_count(150, 1'500); ++seed) {
    const Digraph graph = dense_graph(seed);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const std::size_t expected = ShortestByLayers(graph, queries[q]).length().value_or(0);
      for (const std::uint64_t visits : {0U, 1U, 3U, 10U, 30U}) {
        INFO("seed " << seed << ", query " << q << ", visits " << visits);
        SearchBudget budget(visits);
        const ShortestCycleResult found = shortest_cycle(graph, queries[q], budget);
        CHECK((found.out_of_budget || found.walk.size() == expected));
        CHECK((found.walk.empty() || is_of_class(queries[q], found.walk)));
        CHECK((found.walk.empty() || is_closed_walk(graph, found.walk)));
        CHECK((queries[q].mode == RwMode::kSingle || found.walk.empty() == (expected == 0)));
        SearchBudget again(visits);
        CHECK((has_closed_walk(graph, queries[q], again) || expected == 0));
      }
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

/// Vertices that last for a while each: random dependencies between them, the order in which one
/// ends before another begins, and the sessions that their numbers make, three in turn.
struct Intervals {
  explicit Intervals(std::uint32_t seed) : random(random_graph(seed, kCount, 14, kDependencies)) {
    std::mt19937 engine(seed);
    for (std::uint32_t v = 0; v < kCount; ++v) {
      begins.push_back(static_cast<std::uint32_t>(engine() % 20));
      ends.push_back(begins.back() + static_cast<std::uint32_t>(engine() % 8));
    }
  }

  [[nodiscard]] bool precedes(EdgeLabel label, std::uint32_t a, std::uint32_t b) const {
    return label == kRealtimeEdge ? ends[a] < begins[b] : a < b && a % 3 == b % 3;
  }

  /// With an edge for every pair that an order relates, or only for those with nothing between.
  [[nodiscard]] Digraph graph(bool all_pairs) const {
    std::vector<LabelledEdge> edges = random.edges;
    for (const EdgeLabel label : {kProcessEdge, kRealtimeEdge}) {
      for (std::uint32_t a = 0; a < kCount; ++a) {
        for (std::uint32_t b = 0; b < kCount; ++b) {
          bool is_direct = true;
          for (std::uint32_t c = 0; c < kCount; ++c) {
            is_direct = is_direct && !(precedes(label, a, c) && precedes(label, c, b));
          }
          if (precedes(label, a, b) && (all_pairs || is_direct)) {
            edges.push_back({a, b, label});
          }
        }
      }
    }
    return {kCount, edges};
  }

  [[nodiscard]] TransitiveOrder realtime() const {
    std::vector<std::uint32_t> members(kCount);
    std::iota(members.begin(), members.end(), 0U);
    std::ranges::stable_sort(members, {}, [&](std::uint32_t v) { return begins[v]; });
    TransitiveOrder order(kRealtimeEdge, kCount);
    order.add_chain(members);
    for (std::uint32_t v = 0; v < kCount; ++v) {
      const auto later = std::ranges::find_if(
          members, [&](std::uint32_t to) { return precedes(kRealtimeEdge, v, to); });
      order.precede(v, static_cast<std::uint32_t>(later - members.begin()));
    }
    return order;
  }

  [[nodiscard]] static TransitiveOrder process() {
    TransitiveOrder order(kProcessEdge, kCount);
    for (const std::vector<std::uint32_t>& chain :
         std::vector<std::vector<std::uint32_t>>{{0, 3, 6}, {1, 4, 7}, {2, 5}}) {
      std::uint32_t place = order.add_chain(chain);
      for (const std::uint32_t v : chain) {
        order.precede(v, ++place);
      }
    }
    return order;
  }

  static constexpr std::uint32_t kCount = 8;
  inline static const std::vector<EdgeLabel> kDependencies = {kWwEdge, kWrEdge, kRwEdge, kRwEdge};
  RandomGraph random;
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> ends;
};

TEST_CASE("shortest cycle: transitive orders count as an edge for each pair that they relate") {
  std::size_t found = 0;
  for (std::uint32_t seed = 0; seed < round_count(300, 3'000); ++seed) {
    const Intervals intervals(seed);
    const Digraph few = intervals.graph(false);
    const Digraph all = intervals.graph(true);
    const std::vector<TransitiveOrder> orders = {Intervals::process(), intervals.realtime()};
    for (const CycleQuery& query : more_queries()) {
      INFO("seed " << seed);
      SearchBudget budget(1'000'000);
      const std::vector<CycleEdge> walk = shortest_cycle(few, query, budget, orders).walk;
      REQUIRE(walk.size() == shortest_cycle(all, query, budget).walk.size());
      if (walk.empty()) {
        continue;
      }
      ++found;
      CHECK(is_closed_walk(all, walk));
      CHECK(is_of_class(query, walk));
      CHECK(shorter_cycle(few, query, budget, orders, walk.size()).empty());
      CHECK(shorter_cycle(few, query, budget, orders, walk.size() + 1).size() == walk.size());
    }
  }
  CHECK(found > 300);
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

TEST_CASE("simple cycles: consist of the walk's edges, each once") {
  const auto less = [](const CycleEdge& a, const CycleEdge& b) {
    return std::tie(a.from, a.to, a.label) < std::tie(b.from, b.to, b.label);
  };
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Digraph graph = random_graph(seed, 5, 8, {kWwEdge, kRwEdge}).digraph();
    for (std::vector<CycleEdge>& walk : closed_walks(graph, 6)) {
      std::vector<CycleEdge> edges;
      for (const std::vector<CycleEdge>& cycle : simple_cycles(walk)) {
        REQUIRE(is_closed_walk(graph, cycle));
        REQUIRE(is_simple(cycle));
        edges.insert(edges.end(), cycle.begin(), cycle.end());
      }
      std::sort(edges.begin(), edges.end(), less);
      std::sort(walk.begin(), walk.end(), less);
      REQUIRE(edges == walk);
    }
  }
}

}  // namespace
}  // namespace elapid
