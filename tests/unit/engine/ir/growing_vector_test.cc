#include "engine/ir/growing_vector.h"

#include <array>
#include <catch2/catch.hpp>
#include <span>
#include <vector>

namespace elapid {
namespace {

std::vector<int> all(const GrowingVector<int>& values) {
  return {values.begin(), values.end()};
}

TEST_CASE("a growing vector keeps what it has, however far it grows") {
  constexpr int kCount = 300'000;  // beyond what the heap moves by copying
  GrowingVector<int> values;
  CHECK(values.empty());
  std::vector<int> expected;
  for (int i = 0; i < kCount; ++i) {
    values.push_back(i);
    expected.push_back(i);
  }
  CHECK(all(values) == expected);
  CHECK(values.back() == kCount - 1);
  values.clear();
  CHECK(values.empty());
}

TEST_CASE("a growing vector takes an element of its own while it grows") {
  GrowingVector<int> values;
  values.push_back(7);
  for (int i = 0; i < 1000; ++i) {
    values.push_back(values[0]);
  }
  CHECK(all(values) == std::vector<int>(1001, 7));
}

TEST_CASE("growing vectors are appended to, assigned and swapped") {
  constexpr std::array kMany = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  GrowingVector<int> values;
  values.append({});
  CHECK(values.empty());
  values.push_back(0);
  values.append(kMany);
  CHECK(all(values) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  values.assign(std::span(kMany).first(2));
  CHECK(all(values) == std::vector<int>{1, 2});
  GrowingVector<int> others;
  others.push_back(5);
  others.swap(values);
  CHECK(all(values) == std::vector<int>{5});
  CHECK(all(others) == std::vector<int>{1, 2});
  CHECK(std::span<const int>(others).size() == 2);
}

}  // namespace
}  // namespace elapid
