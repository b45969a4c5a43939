#include "engine/solve/version_draft.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/graph/adjacency.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

constexpr OrderLevel kPlainSerial = {Visibility::kSerial, false, false};
constexpr OrderLevel kPlainSnapshot = {Visibility::kSnapshot, false, false};
constexpr OrderLevel kPrefix = {Visibility::kPrefix, false, false};

using Order = std::vector<std::uint32_t>;

/// Of a session trace in which transactions stand as they completed. At the serial levels events
/// have the numbers of transactions; else start and commit of transaction n are 2n and 2n + 1.
std::optional<DraftedOrder> draft_of(std::string_view text, OrderLevel level,
                                     Workload workload = Workload::kRwRegister) {
  const History history = build_trace(parse_tiny(workload, text), {});
  const OrderProblem problem(history);
  const OrderGraph graph(problem, level);
  const Order order = topological_order(graph.successors());
  REQUIRE(order.size() == graph.vertex_count());
  return draft_order(problem, graph, order);
}

/// Of events as they came, at serializability.
std::optional<DraftedOrder> draft_of(const History& history, LateOnes late) {
  const OrderProblem problem(history);
  const OrderGraph graph(problem, kPlainSerial);
  return draft_order(problem, graph, topological_order(graph.successors()), late);
}

std::size_t place(const DraftedOrder& draft, std::uint32_t event) {
  return static_cast<std::size_t>(std::ranges::find(draft.order, event) - draft.order.begin());
}

TEST_CASE("draft: who reads the past stands where that was current") {
  // The last two read what the writers left before the second, and between it and the third.
  const auto draft = draft_of("0 wx1 wy1; 1 wx2; 2 rx2 wy2; 3 rx1 ry1; 4 rx2 ry1", kPlainSerial);
  REQUIRE(draft);
  CHECK(draft->serves_all);
  CHECK(draft->order == Order{0, 3, 1, 4, 2});
}

TEST_CASE("draft: snapshots are taken where all that they read was current") {
  const auto draft = draft_of("0 wx1; 1 wx2; 2 rx1 wy1; 3 rx2 ry1", kPlainSnapshot);
  REQUIRE(draft);
  REQUIRE(draft->serves_all);
  CHECK(place(*draft, 4) < place(*draft, 3));  // the third starts before the second commits
  CHECK(place(*draft, 3) < place(*draft, 6));
}

TEST_CASE("draft: who replaced what it read follows that, whenever it completed") {
  // Of the session trace's turns the third writer of x comes second.
  const auto draft = draft_of("0 wx1; 1 wx3; 2 rx1 wx2; 3 rx2; 4 rx3", kPlainSerial);
  REQUIRE(draft);
  REQUIRE(draft->serves_all);
  CHECK(place(*draft, 2) < place(*draft, 1));
}

TEST_CASE("draft: of two who replaced the same version there is none but where that may be") {
  CHECK_FALSE(draft_of("0 wx1; 1 rx1 wx2; 2 rx1 wx3", kPlainSerial));
  CHECK_FALSE(draft_of("0 wx1; 1 rx1 wx2; 2 rx1 wx3", kPlainSnapshot));
  const auto draft = draft_of("0 wx1; 1 rx1 wx2; 2 rx1 wx3", kPrefix);
  REQUIRE(draft);
  CHECK(draft->serves_all);
}

TEST_CASE("draft: where it fails it still agrees with all that is known") {
  const auto draft = draft_of("0 wx1; 1 wx2 wy1; 2 rx1 ry1", kPlainSerial);
  REQUIRE(draft);
  CHECK_FALSE(draft->serves_all);
  CHECK(draft->order == Order{0, 1, 2});
}

TEST_CASE("draft: where it fails it keeps what it supposes of writers that are on no circle") {
  // The last read is of x = 1, behind what the second wrote there.
  const auto draft = draft_of("0 wx1; 1 wx2 wy1; 2 wz1; 3 wz2; 4 rx1 ry1", kPlainSerial);
  REQUIRE(draft);
  CHECK_FALSE(draft->serves_all);
  CHECK(draft->on_circles == 2);
  CHECK(draft->likely == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 3}});
}

TEST_CASE("draft: of those that wrote the value the last before its reader was seen") {
  CHECK(draft_of("0 wx1; 1 wx2; 2 wx1; 3 rx1; 4 wx3", kPlainSerial)->serves_all);
  CHECK(draft_of("0 wx1; 1 rx1; 2 wx2; 3 wx1; 4 rx1", kPlainSerial)->serves_all);
}

TEST_CASE("draft: each of the reads with the same possible writers finds its own") {
  const auto draft = draft_of("0 rx1; 1 wx1; 2 rx1; 3 wx1; 4 rx1; 5 wx2; 6 rx1", kPlainSerial);
  REQUIRE(draft);
  CHECK(draft->serves_all);
  CHECK(place(*draft, 0) > place(*draft, 1));  // it was not written before, so the first writer
  CHECK(place(*draft, 2) < place(*draft, 3));
  CHECK(place(*draft, 4) > place(*draft, 3));
  CHECK(place(*draft, 6) < place(*draft, 5));
}

TEST_CASE("draft: who completed very late may have taken effect soon") {
  // The third reads the past: what the first wrote, and not what the second did.
  std::string text = "0> wx1; 1 wx2 wy1; 2 rx1 ry_";
  CHECK_FALSE(has_late_ones(register_history(text + "; 0+ wx1")));
  for (int i = 0; i < 20; ++i) {
    text += "; 3 rz_";
  }
  const History history = register_history(text + "; 0+ wx1");
  REQUIRE(has_late_ones(history));
  CHECK_FALSE(draft_of(history, LateOnes::kTookEffectLate)->serves_all);
  CHECK(draft_of(history, LateOnes::kTookEffectSoon)->serves_all);
}

TEST_CASE("draft: appends that no read shows come last") {
  const auto draft = draft_of("0 ax3; 1 ax1; 2 ax2; 3 rx12", kPlainSnapshot, Workload::kListAppend);
  REQUIRE(draft);
  REQUIRE(draft->serves_all);
  CHECK(place(*draft, 6) < place(*draft, 1));
}

}  // namespace
}  // namespace elapid
