// Where a search goes back to from dead ends, and how wide it is then.
#include "engine/linearize/types/retreat.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <optional>

namespace elapid::linearize {
namespace {

constexpr std::size_t kSegment = 32;  // events

/// Follows events to the dead end at `to`; the checkpoint of each segment is its first event.
std::optional<std::size_t> follow(Retreat<std::size_t>& retreat, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; ++at) {
    if (Retreat<std::size_t>::begins_at(at)) {
      retreat.begin(at, at);
    }
  }
  return retreat.go_back(to - 1);
}

TEST_CASE("retreat: each time further back and wider, and narrow again behind the dead end") {
  Retreat<std::size_t> retreat({.narrowest = 2, .widest = 64, .most_dead_ends = 3});
  const std::size_t end = 10 * kSegment;
  CHECK(follow(retreat, 0, end) == 8 * kSegment);
  CHECK(retreat.checkpoint(8 * kSegment) == 8 * kSegment);
  CHECK(retreat.width() == 8);
  CHECK(retreat.dead_ends() == 1);
  CHECK(follow(retreat, 8 * kSegment, end) == 7 * kSegment);
  CHECK(retreat.width() == 32);
  CHECK(follow(retreat, 7 * kSegment, end) == 6 * kSegment);
  CHECK(retreat.width() == 64);
  CHECK(follow(retreat, 6 * kSegment, end) == std::nullopt);
  retreat.begin(10 * kSegment, 0);
  CHECK(retreat.width() == 64);
  retreat.begin(11 * kSegment, 0);
  CHECK(retreat.width() == 2);
  CHECK(retreat.dead_ends() == 0);
}

TEST_CASE("retreat: not before the beginning, nor to a checkpoint that was given up") {
  Retreat<std::size_t> retreat({.narrowest = 1, .widest = 16, .most_dead_ends = 14});
  CHECK(follow(retreat, 0, 10) == 0);
  const std::size_t end = 5000 * kSegment;
  std::size_t at = 0;
  for (std::size_t dead_ends = 1; dead_ends < 13; ++dead_ends) {
    const std::optional<std::size_t> to = follow(retreat, at, end);
    REQUIRE(to.has_value());
    at = *to;
  }
  CHECK(at == (4999 - 1024) * kSegment);
  CHECK(follow(retreat, at, end) == std::nullopt);
}

}  // namespace
}  // namespace elapid::linearize
