#include "engine/sweep/sweep.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// A small history: transactions in time, and dependencies between them.
struct SmallGraph {
  std::vector<TxnInterval> txns;
  std::vector<IntervalEdge> edges;
};

std::vector<TimeSpan> swept(const SmallGraph& graph) {
  std::vector<IntervalEdge> edges = graph.edges;
  std::erase_if(edges, [](const IntervalEdge& edge) { return edge.is_implied(); });
  std::ranges::sort(edges, {}, &IntervalEdge::begin);
  Sweep sweep;
  for (const IntervalEdge& edge : edges) {
    sweep.add(edge);
  }
  return sweep.finish();
}

/// Those on a cycle of dependencies and real time, by the closure of both.
std::vector<TxnInterval> on_cycles(const SmallGraph& graph) {
  const std::size_t count = graph.txns.size();
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      reaches[a][b] = a != b && graph.txns[a].completed < graph.txns[b].invoked;
    }
  }
  for (const IntervalEdge& edge : graph.edges) {
    reaches[edge.from.txn][edge.to.txn] = true;
  }
  for (std::size_t via = 0; via < count; ++via) {
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        reaches[a][b] = reaches[a][b] || (reaches[a][via] && reaches[via][b]);
      }
    }
  }
  std::vector<TxnInterval> found;
  for (std::size_t a = 0; a < count; ++a) {
    if (reaches[a][a]) {
      found.push_back(graph.txns[a]);
    }
  }
  return found;
}

/// Two to nine transactions, with ties, some of which never complete.
SmallGraph random_graph(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  SmallGraph graph;
  const std::uint32_t count = 2 + below(8);
  const std::uint32_t length = 4 + below(3 * count);
  for (std::uint32_t t = 0; t < count; ++t) {
    const std::uint32_t invoked = below(length);
    const bool ends = below(8) != 0;
    graph.txns.push_back({t, invoked, ends ? invoked + below(length / 2) : TxnInterval::kNever});
  }
  const std::uint32_t edges = below(2 * count) + 1;
  for (std::uint32_t e = 0; e < edges; ++e) {
    const TxnInterval& from = graph.txns[below(count)];
    const TxnInterval& to = graph.txns[below(count)];
    // Mostly forward in time, else nearly all graphs are cyclic.
    const bool is_kept = from.invoked <= to.invoked || below(3) == 0;
    if (from.txn != to.txn && is_kept) {
      graph.edges.push_back({from, to});
    }
  }
  return graph;
}

std::string text(const SmallGraph& graph) {
  std::string text;
  for (const TxnInterval& txn : graph.txns) {
    text += std::to_string(txn.txn) + " [" + std::to_string(txn.invoked) + ", " +
            std::to_string(txn.completed) + "]; ";
  }
  for (const IntervalEdge& edge : graph.edges) {
    text += std::to_string(edge.from.txn) + " -> " + std::to_string(edge.to.txn) + "; ";
  }
  return text;
}

TEST_CASE("sweep: says of small graphs what their closure says") {
  const std::uint64_t begin = 1'000'000'000 * first_seed_of_cases();
  const std::uint64_t end = begin + case_count(100'000);
  std::uint64_t cyclic = 0;
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    const SmallGraph graph = random_graph(seed);
    const std::vector<TimeSpan> spans = swept(graph);
    const std::vector<TxnInterval> cycles = on_cycles(graph);
    cyclic += cycles.empty() ? 0U : 1U;
    const bool is_covered = std::ranges::all_of(cycles, [&](const TxnInterval& txn) {
      return std::ranges::any_of(spans, [&](const TimeSpan& span) {
        return span.first <= txn.completed && txn.invoked <= span.last;
      });
    });
    const bool are_apart = std::ranges::is_sorted(
        spans, [](const TimeSpan& a, const TimeSpan& b) { return a.last < b.first; });
    if (spans.empty() != cycles.empty() || !is_covered || !are_apart) {
      FAIL("seed " << seed << ": " << text(graph));
    }
  }
  CHECK(cyclic > (end - begin) / 5);
  CHECK(cyclic < (end - begin) * 4 / 5);
}

TEST_CASE("sweep: a read of the past") {
  const TxnInterval writer = {1, 0, 1};
  const TxnInterval reader = {2, 4, 5};
  const TxnInterval between = {3, 2, 3};
  CHECK(swept({{writer, reader, between}, {{writer, between}}}).empty());
  CHECK(swept({{writer, reader, between}, {{reader, writer}}}) == std::vector<TimeSpan>{{0, 4}});
}

TEST_CASE("sweep: of spans that meet, the shortest contradiction is told apart") {
  const TxnInterval early = {1, 0, 3};
  const TxnInterval late = {2, 9, 10};
  Sweep sweep;
  sweep.add({{3, 8, 12}, {4, 6, 7}});
  sweep.add({late, early});
  CHECK(sweep.finish() == std::vector<TimeSpan>{{0, 9}});
  CHECK(sweep.shortest() == TimeSpan{6, 8});
}

}  // namespace
}  // namespace elapid
