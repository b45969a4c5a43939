#include "engine/replay/sorted_rows.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace elapid::replay {
namespace {

using Places = std::set<std::pair<std::int64_t, std::uint32_t>>;

std::vector<std::uint32_t> within(const Places& places, std::int64_t low, std::int64_t high) {
  std::vector<std::uint32_t> rows;
  for (const auto& [at, row] : places) {
    if (low <= at && at <= high) {
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<std::uint32_t> within(const SortedRows& rows, std::int64_t low, std::int64_t high) {
  std::vector<std::uint32_t> found;
  rows.each_within(low, high, [&](KeyId row) { found.push_back(row.value); });
  return found;
}

TEST_CASE("sorted rows: what is within a range is what a set has there") {
  std::mt19937_64 chance(7);
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::int64_t>(chance() % bound);
  };
  SortedRows rows;
  Places places;
  // Many enough for many blocks, then hardly any, then many again.
  for (const std::int64_t most : {3000, 3, 2000}) {
    for (int change = 0; change < 12000; ++change) {
      const std::int64_t at = below(300) - 100;
      const auto row = static_cast<std::uint32_t>(below(40));
      const bool has_it = places.contains({at, row});
      if (has_it) {
        places.erase({at, row});
        rows.erase(at, KeyId{row});
      } else if (std::cmp_less(places.size(), most)) {
        places.insert({at, row});
        rows.insert(at, KeyId{row});
      }
      if (change % 50 == 0) {
        const std::int64_t low = below(320) - 110;
        const std::int64_t high = low + below(40) - 5;
        REQUIRE(within(rows, low, high) == within(places, low, high));
        REQUIRE(rows.count_within(low, high) == within(places, low, high).size());
      }
    }
  }
}

TEST_CASE("sorted rows: the ends of all numbers are numbers like others") {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  SortedRows rows;
  CHECK(rows.count_within(kLowest, kHighest) == 0);
  rows.insert(kHighest, KeyId{2});
  rows.insert(kLowest, KeyId{1});
  CHECK(rows.count_within(kLowest, kHighest) == 2);
  CHECK(within(rows, kLowest, kLowest) == std::vector<std::uint32_t>{1});
  CHECK(rows.count_within(kHighest, kLowest) == 0);
}

}  // namespace
}  // namespace elapid::replay
