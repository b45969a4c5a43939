#include "engine/ir/in_order.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace elapid {
namespace {

struct Number {
  std::size_t given = 0;
  std::size_t square = 0;
};

TEST_CASE("in order: items come back in the order in which they were given, worked on once") {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    InOrder<Number> numbers(threads, 2 * threads, [](Number& n) { n.square = n.given * n.given; });
    std::size_t next = 0;
    for (std::size_t taken = 0; taken < 1000; ++taken) {
      for (; numbers.has_room() && next < 1000; ++next) {
        numbers.fresh().given = next;
        numbers.give();
      }
      REQUIRE(numbers.take().square == taken * taken);
      numbers.release();
    }
    CHECK(numbers.is_empty());
  }
}

TEST_CASE("in order: what the work throws comes out where its item is taken") {
  for (const std::size_t threads : {1U, 3U}) {
    InOrder<Number> numbers(threads, 4, [](Number& n) {
      if (n.given == 1) {
        throw std::runtime_error("one");
      }
    });
    for (std::size_t i = 0; i < 3; ++i) {
      numbers.fresh().given = i;
      numbers.give();
    }
    CHECK(numbers.take().given == 0);
    numbers.release();
    CHECK_THROWS_WITH(numbers.take(), "one");
  }
}

}  // namespace
}  // namespace elapid
