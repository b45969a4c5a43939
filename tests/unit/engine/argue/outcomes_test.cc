#include "engine/argue/outcomes.h"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

namespace elapid::argue {
namespace {

FoundKind kind(std::size_t count) {
  return {.outcome = {.is_found = true}, .least = count, .most = count};
}

TEST_CASE("outcomes: a count fits between the rows that must match and those that may") {
  const std::vector<Chances> rows = {
      {KeyId{0}, false, {true}}, {KeyId{1}, true, {true}}, {KeyId{2}, true, {false}}};
  CHECK_FALSE(miscount(std::vector{kind(1)}, rows));
  CHECK_FALSE(miscount(std::vector{kind(2)}, rows));
  const std::optional<Miscount> few = miscount(std::vector{kind(3)}, rows);
  REQUIRE(few);
  CHECK(few->is_too_few);
  CHECK(few->rows == std::vector{KeyId{2}});
  const std::optional<Miscount> many = miscount(std::vector{kind(0)}, rows);
  REQUIRE(many);
  CHECK_FALSE(many->is_too_few);
  CHECK(many->rows == std::vector{KeyId{0}});
}

TEST_CASE("outcomes: a bag needs another row for each of its contents") {
  // Two contents, each once; row 0 alone may be either.
  const std::vector<FoundKind> kinds = {kind(1), kind(1)};
  const std::vector<Chances> one = {{KeyId{0}, true, {true, true}},
                                    {KeyId{1}, true, {false, false}}};
  const std::optional<Miscount> few = miscount(kinds, one);
  REQUIRE(few);
  CHECK(few->is_too_few);
  CHECK(few->kinds == std::vector<std::size_t>{0, 1});
  CHECK(few->rows == std::vector{KeyId{1}});
  // Row 0 gives way to row 1, which cannot be anything else.
  const std::vector<Chances> two = {{KeyId{0}, true, {true, true}},
                                    {KeyId{1}, false, {true, false}}};
  CHECK_FALSE(miscount(kinds, two));
  // Three that must have been found, and two contents.
  const std::vector<Chances> three = {{KeyId{0}, false, {true, true}},
                                      {KeyId{1}, false, {true, false}},
                                      {KeyId{2}, false, {false, true}}};
  const std::optional<Miscount> many = miscount(kinds, three);
  REQUIRE(many);
  CHECK_FALSE(many->is_too_few);
  CHECK(many->rows.size() == 3);
}

}  // namespace
}  // namespace elapid::argue
