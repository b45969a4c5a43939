#include "engine/certify/operations/matching.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

namespace elapid::certify {
namespace {

using Choices = std::vector<std::vector<std::size_t>>;

TEST_CASE("matching: each has another place, or there is none for all") {
  CHECK(can_be_matched({}, 0));
  CHECK_FALSE(can_be_matched({{}}, 3));
  CHECK(can_be_matched({{0, 1}, {0}}, 2));
  CHECK(can_be_matched({{0, 1}, {0, 2}, {0}}, 3));
  CHECK_FALSE(can_be_matched({{0, 1}, {0, 1}, {0, 1}}, 4));
  CHECK_FALSE(can_be_matched({{0, 1, 2}, {1}, {1}}, 3));
}

TEST_CASE("matching: the last of many makes all others move") {
  constexpr std::size_t kCount = 200'000;
  Choices choices;
  for (std::size_t i = 0; i + 1 < kCount; ++i) {
    choices.push_back({i, i + 1});
  }
  choices.push_back({0});
  CHECK(can_be_matched(choices, kCount));
  choices.push_back({kCount - 1});
  CHECK_FALSE(can_be_matched(choices, kCount));
}

}  // namespace
}  // namespace elapid::certify
