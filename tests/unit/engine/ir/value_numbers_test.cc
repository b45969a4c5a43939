#include "engine/ir/value_numbers.h"

#include <catch2/catch.hpp>
#include <random>
#include <unordered_map>

namespace elapid {
namespace {

ValueId random_value(std::mt19937& random, std::uint32_t most) {
  const auto n = static_cast<std::uint32_t>(random() % most);
  return n % 7 == 0   ? ValueId::interned(n)
         : n % 7 == 1 ? ValueId::integer(-std::int64_t{n})
                      : ValueId::integer(n);
}

TEST_CASE("value numbers: those that were given first, whatever the values") {
  for (const std::uint32_t most : {10U, 500U, 1'000'000U}) {
    std::mt19937 random(most);
    ValueNumbers numbers;
    std::unordered_map<ValueId, std::uint32_t> known;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      const ValueId value = random_value(random, most);
      const auto first = known.find(value);
      REQUIRE(numbers.find(value) ==
              (first == known.end() ? ValueNumbers::kAbsent : first->second));
      REQUIRE(numbers.find_or_add(value, i) == known.try_emplace(value, i).first->second);
    }
  }
}

TEST_CASE("value numbers: an integer that was too large for the array keeps its number") {
  ValueNumbers numbers;
  numbers.find_or_add(ValueId::integer(500), 7);
  for (std::uint32_t n = 0; n < 1000; ++n) {
    if (n != 500) {
      numbers.find_or_add(ValueId::integer(n), n + 10);
    }
  }
  CHECK(numbers.find(ValueId::integer(500)) == 7);
  CHECK(numbers.find_or_add(ValueId::integer(500), 99) == 7);
  CHECK(numbers.find(ValueId::integer(999)) == 1009);
  CHECK(numbers.find(ValueId::integer(1000)) == ValueNumbers::kAbsent);
}

}  // namespace
}  // namespace elapid
