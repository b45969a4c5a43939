#include "engine/ir/in_turn.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace elapid {
namespace {

struct Number {
  std::size_t given = 0;
  std::size_t square = 0;
};

/// Squares the numbers below `count`, and ends them until one is `last`; throws at `bad` in the
/// stage `place`.
std::vector<std::size_t> squares(std::size_t threads, std::size_t count, std::size_t last,
                                 std::size_t bad, const std::string& place) {
  const auto fail_if = [&](const std::string& here, std::size_t n) {
    if (n == bad && here == place) {
      throw std::runtime_error(here);
    }
  };
  std::size_t next = 0;
  std::vector<std::size_t> ended;
  try {
    take_turns<Number>(
        threads,
        [&](Number& n) {
          n.given = next;
          next += next < count ? 1 : 0;
          fail_if("next", n.given);
          return n.given < count;
        },
        [&](Number& n) {
          fail_if("work", n.given);
          n.square = n.given * n.given;
        },
        [&](Number& n) {
          fail_if("end", n.given);
          ended.push_back(n.square);
          return n.given != last;
        });
  } catch (const std::runtime_error& error) {
    CHECK(error.what() == place);
    ended.push_back(bad);
  }
  return ended;
}

TEST_CASE("in turn: items end in the order in which they came, worked on once") {
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    const std::vector<std::size_t> all = squares(threads, 1000, 1000, 1000, "");
    REQUIRE(all.size() == 1000);
    for (std::size_t i = 0; i < all.size(); ++i) {
      REQUIRE(all[i] == i * i);
    }
    CHECK(squares(threads, 0, 0, 0, "").empty());
  }
}

TEST_CASE("in turn: nothing ends behind the item whose end says so") {
  for (const std::size_t threads : {1U, 2U, 8U}) {
    CHECK(squares(threads, 1000, 2, 1000, "") == std::vector<std::size_t>{0, 1, 4});
  }
}

TEST_CASE("in turn: what is thrown for an item comes out once those before have ended") {
  for (const std::size_t threads : {1U, 2U, 8U}) {
    for (const char* place : {"next", "work", "end"}) {
      CHECK(squares(threads, 1000, 1000, 3, place) == std::vector<std::size_t>{0, 1, 4, 3});
    }
  }
}

}  // namespace
}  // namespace elapid
