#include "parsers/traces/id_numbers.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace elapid {
namespace {

TEST_CASE("ids are numbered in the order in which they come") {
  IdNumbers numbers;
  const std::vector<std::int64_t> ids = {7, 0, -3, 1'000'000'000'000, 5000, 7, 5000, -3, 1023};
  std::vector<std::uint32_t> got;
  for (const std::int64_t id : ids) {
    got.push_back(numbers.number(id));
  }
  CHECK(got == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 0, 4, 2, 5});
  CHECK(numbers.size() == 6);
}

TEST_CASE("an id that came while it was out of reach keeps its number") {
  IdNumbers numbers;
  const std::uint32_t early = numbers.number(3000);
  for (std::int64_t id = 0; id < 3000; ++id) {
    numbers.number(id);
  }
  CHECK(numbers.number(3000) == early);
  CHECK(numbers.size() == 3001);
}

TEST_CASE("numbers agree with a map") {
  const std::size_t reach = GENERATE(0U, 1U, 1024U, 100'000U);
  IdNumbers numbers(reach);
  std::map<std::int64_t, std::uint32_t> model;
  std::mt19937_64 random(1);
  std::int64_t next = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t ids[] = {next++, static_cast<std::int64_t>(random() % 40000),
                                static_cast<std::int64_t>(random()),
                                std::numeric_limits<std::int64_t>::min()};
    const std::int64_t id = ids[random() % 4];
    const auto fresh = static_cast<std::uint32_t>(model.size());
    const bool is_known = model.contains(id);
    REQUIRE(numbers.find(id) == (is_known ? model[id] : IntMap::kAbsent));
    REQUIRE(numbers.number(id) == model.try_emplace(id, fresh).first->second);
  }
  CHECK(numbers.size() == model.size());
}

}  // namespace
}  // namespace elapid
