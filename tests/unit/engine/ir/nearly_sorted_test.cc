#include "engine/ir/nearly_sorted.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

namespace elapid {
namespace {

/// Numbers from 0 on, each exchanged with one at most so far away.
std::vector<std::size_t> shuffled(std::size_t size, std::size_t distance) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(size + distance));
  std::vector<std::size_t> numbers(size);
  for (std::size_t i = 0; i < size; ++i) {
    numbers[i] = i;
    std::swap(numbers[i], numbers[i - random() % (std::min(distance, i) + 1)]);
  }
  return numbers;
}

TEST_CASE("nearly sorted: items near their places, and items anywhere") {
  for (const std::size_t size : {0U, 1U, 2U, 7U, 1000U}) {
    for (const std::size_t distance : {0U, 1U, 5U, 1000U}) {
      std::vector<std::size_t> numbers = shuffled(size, distance);
      sort_nearly_sorted(numbers);
      REQUIRE(numbers == shuffled(size, 0));
    }
  }
}

TEST_CASE("nearly sorted: by an order and a projection, equal items included") {
  std::vector<std::pair<int, char>> items = {{1, 'a'}, {3, 'b'}, {2, 'c'}, {3, 'd'}, {1, 'e'}};
  sort_nearly_sorted(items, std::greater(), &std::pair<int, char>::first);
  CHECK(std::ranges::is_sorted(items, std::greater(), &std::pair<int, char>::first));
  CHECK(items.front().first == 3);
}

}  // namespace
}  // namespace elapid
