#include "adapter/watch/watermarks.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <limits>

namespace elapid {
namespace {

using std::chrono::milliseconds;

DeadlineWatermark::Clock::time_point after(int count) {
  return DeadlineWatermark::Clock::time_point(milliseconds(count));
}

TEST_CASE("a deadline's watermark is what was the greatest a deadline ago") {
  DeadlineWatermark watermark(milliseconds(100));
  CHECK_FALSE(watermark.at(after(0)));
  watermark.note(after(0), {10, 0});
  watermark.note(after(50), {20, 0});
  CHECK_FALSE(watermark.at(after(99)));
  CHECK(watermark.at(after(100)) == Timestamp{10, 0});
  CHECK(watermark.at(after(149)) == Timestamp{10, 0});
  CHECK(watermark.at(after(150)) == Timestamp{20, 0});
  CHECK(watermark.at(after(1000)) == Timestamp{20, 0});
}

TEST_CASE("a deadline's watermark never says more than was there a deadline ago") {
  DeadlineWatermark watermark(milliseconds(640));
  for (int time = 0; time < 5000; ++time) {
    watermark.note(after(time), {time, 0});
    const auto at = watermark.at(after(time));
    CHECK(at.has_value() == (time >= 640));
    if (at) {
      CHECK(at->physical <= time - 640);
      CHECK(at->physical >= time - 640 - 10);  // a sample in 10 ms
    }
  }
}

TEST_CASE("no deadline at all") {
  DeadlineWatermark watermark(milliseconds(0));
  watermark.note(after(1), {5, 1});
  CHECK(watermark.at(after(1)) == Timestamp{5, 1});
}

TEST_CASE("a lag behind the greatest commit") {
  CHECK(lagging_watermark({10, 3}, 4) == Timestamp{6, 3});
  CHECK(lagging_watermark({-10, 0}, 4) == Timestamp{-14, 0});
  CHECK_FALSE(lagging_watermark({-10, 0}, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace
}  // namespace elapid
