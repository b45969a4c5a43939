#include "engine/timestamps/timeline.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "harness/generate/random.h"
#include "tests/support/timed_history.h"

namespace elapid {
namespace {

/// The events as `5c0`: time, kind (commit, whole, instant, start) and transaction.
std::string events(std::string_view text, ReadPoint point) {
  const History history = build(parse_timed(Workload::kRwRegister, text));
  const Timeline timeline(history, point);
  std::string out;
  for (const TimelineEvent& event : timeline.events()) {
    out += (out.empty() ? "" : " ") + std::to_string(event.time) +
           "cwis"[static_cast<std::size_t>(event.kind)] + std::to_string(event.txn.value);
  }
  return out;
}

constexpr ReadPoint kSnapshot = ReadPoint::kStart;
constexpr ReadPoint kSerial = ReadPoint::kCommit;

TEST_CASE("timeline: starts and commits by time") {
  CHECK(events("1-5 0 wx1; 2-3 1 wx2; 4-9 2 rx_", kSnapshot) == "1s0 2s1 3c1 4s2 5c0");
  CHECK(events("1-5 0 wx1; 2-3 1 wx2; 4-9 2 rx_", kSerial) == "3w1 5w0 9w2");
}

TEST_CASE("timeline: at one time commits come first, then instants, then starts") {
  CHECK(events("5-9 0 wx1; 5-5 1 wx2; 1-5 2 wx3", kSnapshot) == "1s2 5c2 5i1 5s0 9c0");
  CHECK(events("5-5 0 wx1; 1-5 1 wx2; 5-5 2 rx_", kSerial) == "5w1 5i0 5i2");
}

TEST_CASE("timeline: what commits before it starts does both when it commits") {
  CHECK(events("7-3 0 wx1", kSnapshot) == "3i0");
  CHECK(events("7-3 0 wx1", kSerial) == "3i0");
}

TEST_CASE("timeline: what only reads needs no commit timestamp") {
  CHECK(events("4-_ 0 rx_", kSnapshot) == "4i0");
  CHECK(events("4-_ 0 rx_", kSerial) == "4i0");
  CHECK(events("_-4 0 rx_", kSnapshot).empty());
  CHECK(events("_-4 0 rx_", kSerial) == "4w0");
}

TEST_CASE("timeline: writers need one") {
  CHECK(events("4-_ 0 wx1; _-_ 1 wx2", kSnapshot).empty());
  CHECK(events("4-_ 0 wx1; _-_ 1 wx2", kSerial).empty());
  CHECK(events("_-4 0 wx1", kSnapshot) == "4i0");  // its writes alone
  const History history = build(parse_timed(Workload::kRwRegister, "_-4 0 wx1; 1-_ 1 wx2"));
  const Timeline timeline(history, kSnapshot);
  CHECK(timeline.placement({0}) == Placement::kWrites);
  CHECK(timeline.placement({1}) == Placement::kUnknown);
}

TEST_CASE("timeline: aborted transactions have no place, indeterminate ones by their commit") {
  CHECK(events("1-5 0- wx1; 2-6 1? wx2; 3-_ 2? wx3; 4-7 3? rx_", kSnapshot) == "6c1");
}

TEST_CASE("timeline: sorting by time is stable and knows all 64 bits") {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  Random random(7);
  const std::vector<std::int64_t> times = {kLeast, -5, -1, 0, 1, 2047, 2048, 1LL << 40, kMost};
  for (std::size_t size : {0U, 1U, 2U, 1000U}) {
    UnsetVector<TimelineEvent> sorted;
    for (std::uint32_t i = 0; i < size; ++i) {
      sorted.push_back({random.pick(times), {i}, TimelineEvent::Kind::kStart});
    }
    UnsetVector<TimelineEvent> expected = sorted;
    std::ranges::stable_sort(expected, {}, &TimelineEvent::time);
    sort_by_time(sorted);
    CHECK(std::ranges::equal(sorted, expected, {}, &TimelineEvent::txn, &TimelineEvent::txn));
  }
}

}  // namespace
}  // namespace elapid
