#include "engine/infer/order.h"

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <utility>

#include "engine/ir/history_builder.h"
#include "harness/sketch/tiny_history.h"
#include "tests/unit/engine/graph/random_graph.h"

namespace elapid {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct Sample {
  History history;
  std::vector<bool> believed;  // committed transactions, and some indeterminate ones
};

/// Up to 30 events of five processes that overlap, completions without invocations and events of a
/// nemesis among them.
Sample sample(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  HistoryBuilder builder;
  std::array<bool, 5> busy = {};
  for (std::uint32_t events = below(31); events > 0; --events) {
    const std::uint32_t process = below(6);
    if (process == busy.size()) {
      REQUIRE(builder.skip_event({}).ok());
      continue;
    }
    const bool completes = busy.at(process) || below(8) == 0;
    const auto type = static_cast<EventType>(completes ? 1 + below(5) % 3 : 0);
    busy.at(process) = !completes;
    REQUIRE(builder.add_event({.type = type, .process = process}).ok());
  }
  Result<History> built = std::move(builder).build({});
  REQUIRE(built.ok());
  Sample result{std::move(built).value(), {}};
  for (std::uint32_t t = 0; t < result.history.txn_count(); ++t) {
    const TxnStatus status = result.history.status({t});
    result.believed.push_back(status == TxnStatus::kCommitted ||
                              (status == TxnStatus::kIndeterminate && below(2) == 0));
  }
  return result;
}

/// By definition: `a` is known to have been over before `b` began.
bool before(const Sample& s, std::uint32_t a, std::uint32_t b) {
  return s.believed[a] && s.believed[b] && s.history.committed({a}) &&
         s.history.has_invocation({b}) &&
         s.history.completion_id({a}) < s.history.invocation_id({b});
}

/// Whether edges lead from transaction to transaction where real time does, and nowhere else.
void check_reaches_real_time(const Sample& s, const RandomGraph& graph) {
  const auto reaches = closure(graph, kRealtimeEdge);
  std::size_t wrong = 0;
  for (std::uint32_t a = 0; a < s.history.txn_count(); ++a) {
    for (std::uint32_t b = 0; b < s.history.txn_count(); ++b) {
      wrong += a != b && reaches[a][b] != before(s, a, b) ? 1U : 0U;
    }
  }
  CHECK(wrong == 0);
}

std::vector<LabelledEdge> realtime_edges(const Sample& s,
                                         const std::function<bool(TxnId, TxnId)>& wanted) {
  std::vector<LabelledEdge> edges;
  add_realtime_edges(s.history, EventOrder(s.history), s.believed, wanted, edges);
  return edges;
}

Pairs pairs(const std::vector<LabelledEdge>& edges) {
  Pairs result;
  for (const LabelledEdge& edge : edges) {
    result.emplace_back(edge.from, edge.to);
  }
  return result;
}

constexpr ExternalOrders kNoOrder = {};
constexpr ExternalOrders kProcessOrder = {.process = true};
constexpr ExternalOrders kRealtimeOrder = {.realtime = true};

TEST_CASE("order: events come in the order of the history") {
  const History history = list_history("0> ax1; 1> ax2; 1+ ax2; 0- ax1; 2> ax3");
  std::vector<std::pair<std::uint32_t, EventKind>> seen;
  EventOrder(history).each([&](TxnId txn, EventKind kind) { seen.emplace_back(txn.value, kind); });
  constexpr EventKind kIn = EventKind::kInvocation;
  constexpr EventKind kOut = EventKind::kCompletion;
  CHECK(seen == std::vector<std::pair<std::uint32_t, EventKind>>{
                    {1, kIn}, {0, kIn}, {0, kOut}, {1, kOut}, {2, kIn}});
}

TEST_CASE("order: a timeline reaches what real time orders") {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    const Sample s = sample(seed);
    const auto txns = static_cast<std::uint32_t>(s.history.txn_count());
    RandomGraph graph{.vertices = txns};
    add_timeline(s.history, EventOrder(s.history), s.believed, graph.vertices, graph.edges);
    CHECK(graph.vertices <= 2 * txns);
    CHECK(graph.edges.size() <= std::size_t{3} * txns);
    check_reaches_real_time(s, graph);
  }
}

TEST_CASE("order: so do real-time edges, and none of them can be spared") {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    const Sample s = sample(seed);
    const auto txns = static_cast<std::uint32_t>(s.history.txn_count());
    const RandomGraph graph{.vertices = txns,
                            .edges = realtime_edges(s, [](TxnId, TxnId) { return true; })};
    check_reaches_real_time(s, graph);
    for (const LabelledEdge& edge : graph.edges) {
      for (std::uint32_t between = 0; between < txns; ++between) {
        CHECK_FALSE((before(s, edge.from, between) && before(s, between, edge.to)));
      }
    }
  }
}

TEST_CASE("order: only real-time edges that are wanted are made") {
  const auto wanted = [](TxnId a, TxnId b) { return (a.value + b.value) % 2 == 0; };
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const Sample s = sample(seed);
    Pairs expected = pairs(realtime_edges(s, [](TxnId, TxnId) { return true; }));
    std::erase_if(expected, [&](const auto& pair) { return !wanted({pair.first}, {pair.second}); });
    CHECK(pairs(realtime_edges(s, wanted)) == expected);
  }
}

TEST_CASE("order: sessions order what follows a committed transaction") {
  const History history = list_history("0+ ax1; 0? ax2; 1+ ay1; 0+ ax3; 0- ax4; 0+ ax5; 0> ax6");
  const std::vector<bool> believed = {true, true, true, true, false, true, false};
  std::vector<LabelledEdge> edges;
  add_process_edges(history, believed, edges);
  CHECK(pairs(edges) == Pairs{{0, 1}, {0, 3}, {3, 5}});
  CHECK(edges.front().label == kProcessEdge);
  edges.clear();
  const std::vector<bool> committed = {true, false, true, true, false, true, false};
  add_process_edges(history, committed, edges);
  CHECK(pairs(edges) == Pairs{{0, 3}, {3, 5}});
}

TEST_CASE("order: whether anything is ordered") {
  constexpr ExternalOrders kProcess = {.process = true};
  constexpr ExternalOrders kRealtime = {.realtime = true};
  const auto ordered = [](std::string_view text, ExternalOrders orders) {
    return orders_anything(list_history(text), orders);
  };
  CHECK_FALSE(ordered("0+ ax1; 0+ ax2", {}));
  CHECK(ordered("0+ ax1; 0- ax2; 0+ ax3", kProcess));
  CHECK_FALSE(ordered("0+ ax1; 0? ax2; 1+ ax3", kProcess));
  CHECK(ordered("0+ ax1; 1+ ax2", kRealtime));
  CHECK(ordered("0+ ax1; 1- ax2", kRealtime));
  CHECK_FALSE(ordered("0- ax1; 1+ ax2", kRealtime));
  CHECK_FALSE(ordered("0+ ax1; 1> ax2", kRealtime));
  CHECK_FALSE(ordered("0> ax1; 1> ax2; 0+ ax1; 1+ ax2", kRealtime));
  CHECK_FALSE(ordered("", {.process = true, .realtime = true}));
  CHECK(ordered("0+ ax1; 1+ ax2", {.process = true, .realtime = true}));
}

}  // namespace
}  // namespace elapid
