#include "engine/solve/scheduler.h"

#include <catch2/catch.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/ir/history_builder.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

constexpr OrderLevel kSessionSerial = {Visibility::kSerial, true, false};

using Order = std::vector<std::uint32_t>;

/// Where transactions are single events, these have their numbers.
std::optional<Order> schedule_of(const History& history,
                                 const std::function<bool()>& keep_going = {}) {
  const OrderProblem problem(history);
  const OrderGraph graph(problem, kSessionSerial);
  const Order order = topological_order(graph.successors());
  REQUIRE(order.size() == history.txn_count());
  return schedule(problem, graph, order, keep_going);
}

std::optional<Order> schedule_of(std::string_view text) {
  return schedule_of(build_trace(parse_tiny(Workload::kRwRegister, text), {}));
}

TEST_CASE("scheduler: what serves all reads as it was recorded is left so") {
  CHECK(schedule_of("0 wx1; 1 rx1; 2 wx2; 3 rx2") == Order{0, 1, 2, 3});
}

TEST_CASE("scheduler: a reader comes when its writer is done, and before the version is gone") {
  CHECK(schedule_of("0 wx1; 1 rx2; 2 wx2; 3 rx1") == Order{0, 3, 2, 1});
}

TEST_CASE("scheduler: where two wait for one another, the writers change places") {
  // The second waits for the reader of what it would replace, and the reader for the second.
  CHECK(schedule_of("0 wx1; 1 wx2 wy1; 2 rx1 ry1") == Order{1, 0, 2});
}

TEST_CASE("scheduler: circles in two keys, one after the other") {
  CHECK(schedule_of("0 wx1; 1 wx2 wy1; 2 rx1 ry1; 3 wu1; 4 wu2 wv1; 5 ru1 rv1") ==
        Order{1, 0, 2, 4, 3, 5});
}

TEST_CASE("scheduler: a circle of three writers of one key") {
  // The last reader saw the first one's write, and has seen both others.
  const auto order = schedule_of("0 wx1; 1 wx2 wy1; 2 wx3 wz1; 3 rx1 ry1 rz1");
  REQUIRE(order);
  CHECK((*order == Order{1, 2, 0, 3} || *order == Order{2, 1, 0, 3}));
}

TEST_CASE("scheduler: where every change is excluded there is no order") {
  CHECK_FALSE(schedule_of("0 wx1; 1 wx2; 2 rx1; 2 rx2; 3 rx2; 3 rx1"));
  CHECK_FALSE(schedule_of("0 wx1; 1 wx2; 1 rx1; 0 rx2"));
}

TEST_CASE("scheduler: gives up when told to") {
  const History history = build_trace(parse_tiny(Workload::kRwRegister, "0 wx1; 1 rx1"), {});
  CHECK(schedule_of(history) == Order{0, 1});
  CHECK_FALSE(schedule_of(history, [] { return false; }));
}

/// Three transactions on very many keys: each reads and replaces the writes of the one before. And
/// two transactions on one of these keys, which have to come between.
History huge_transactions(std::uint32_t keys) {
  HistoryBuilder builder;
  std::vector<std::vector<MopInput>> txns(5);
  for (std::uint32_t k = 0; k < keys; ++k) {
    const KeyId key = builder.key(ValueId::integer(k));
    const auto version = [](std::int64_t number) { return ValueId::integer(number); };
    txns[0].push_back({OpKind::kWrite, key, version(1)});
    txns[1].push_back({OpKind::kRead, key, version(k == 0 ? 3 : 1)});
    txns[1].push_back({OpKind::kWrite, key, version(2)});
    txns[2].push_back({OpKind::kRead, key, version(2)});
  }
  const KeyId first = builder.key(ValueId::integer(0));
  txns[3] = {{OpKind::kRead, first, ValueId::integer(1)}};
  txns[4] = {{OpKind::kWrite, first, ValueId::integer(3)}};
  for (std::size_t t = 0; t < txns.size(); ++t) {
    const auto session = static_cast<std::int64_t>(t);
    REQUIRE(builder.add_transaction({.session = session, .mops = txns[t]}).ok());
  }
  Result<History> built = std::move(builder).build({.initial = ValueId::integer(0)});
  REQUIRE(built);
  return std::move(built).value();
}

TEST_CASE("scheduler: huge transactions") {
  CHECK(schedule_of(huge_transactions(50'000)) == Order{0, 3, 4, 1, 2});
}

}  // namespace
}  // namespace elapid
