#include "adapter/report/views/timeline_layout.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "adapter/report/duration_text.h"

namespace elapid {
namespace {

constexpr TimeAxis::Room kTenToFifty = {.least = 10, .most = 50};

TEST_CASE("times of one scale are drawn in proportion") {
  const TimeAxis axis({100, 130, 110, 160}, kTenToFifty);
  CHECK(axis.x(100) == 0);
  CHECK(axis.x(110) == 10);
  CHECK(axis.x(130) == 30);
  CHECK(axis.x(160) == 60);
  for (const TimeStretch& stretch : axis.stretches()) {
    CHECK(stretch.is_to_scale);
  }
}

TEST_CASE("a moment between others stands between them in proportion") {
  const TimeAxis axis({0, 10, 1'000'000, 1'000'020}, kTenToFifty);
  CHECK(axis.x(5) == 5);
  CHECK(axis.x(500'005) == Approx(35));
  CHECK(axis.x(-5) == 0);
  CHECK(axis.x(2'000'000) == 80);
}

TEST_CASE("a gap that is much longer is compressed, and marked") {
  const TimeAxis axis({0, 10, 1'000'000, 1'000'020}, kTenToFifty);
  REQUIRE(axis.stretches().size() == 3);
  CHECK(axis.stretches()[0].is_to_scale);
  CHECK_FALSE(axis.stretches()[1].is_to_scale);
  CHECK(axis.stretches()[2].is_to_scale);
  CHECK(axis.x(1'000'000) == 60);
  CHECK(axis.x(1'000'020) == 80);
}

TEST_CASE("a stretch that is much shorter is widened, and marked") {
  const TimeAxis axis({0, 1, 1001, 3001}, kTenToFifty);
  CHECK_FALSE(axis.stretches()[0].is_to_scale);
  CHECK(axis.x(1) == 10);
  CHECK(axis.x(1001) == 20);
  CHECK(axis.x(3001) == 40);
}

TEST_CASE("an axis bears one moment, none, and those at the ends of numbers") {
  CHECK(TimeAxis({}, kTenToFifty).width() == 0);
  CHECK(TimeAxis({7, 7}, kTenToFifty).x(7) == 0);
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(TimeAxis({kLeast, kMost}, kTenToFifty).x(kMost) == 10);
}

TEST_CASE("moments that differ have texts that do") {
  const auto texts = moment_texts({7, 9'000'000'007, 9'000'500'007, 7, 1'000'007});
  CHECK(texts.at(7) == "0");
  CHECK(texts.at(1'000'007) == "1 ms");
  CHECK(texts.at(9'000'000'007) == "9 s");
  CHECK(texts.at(9'000'500'007) == "9.0005 s");
  CHECK(moment_texts({}).empty());
}

TEST_CASE("durations have a unit that fits") {
  CHECK(duration_text(0) == "0");
  CHECK(duration_text(830) == "830 ns");
  CHECK(duration_text(1'250'000) == "1.25 ms");
  CHECK(duration_text(1'000'000) == "1 ms");
  CHECK(duration_text(12'340'000'000) == "12.3 s");
  CHECK(duration_text(125'000'000'000) == "2 min 5 s");
}

}  // namespace
}  // namespace elapid
