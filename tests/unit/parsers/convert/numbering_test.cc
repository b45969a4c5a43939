#include "parsers/convert/numbering.h"

#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

namespace elapid {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST_CASE("integers keep their numbers and others follow behind the largest") {
  ValuePool pool;
  const ValueId x = pool.intern(":x");
  const ValueId y = pool.intern("\"y\"");
  const std::array names = {ValueId::integer(3), x, ValueId::integer(7), y, x};
  const Numbering numbering(pool, names, kNaturals, {}, false);
  CHECK(numbering.number(ValueId::integer(3)) == 3);
  CHECK(numbering.number(ValueId::integer(7)) == 7);
  CHECK(numbering.number(x) == 8);
  CHECK(numbering.number(y) == 9);
  CHECK(numbering.renumbered() == std::vector<std::pair<std::int64_t, ValueId>>{{8, x}, {9, y}});
}

TEST_CASE("integers out of range or reserved lose their numbers") {
  ValuePool pool;
  const ValueId negative = ValueId::integer(-1);
  const ValueId reserved = ValueId::integer(5);
  const std::array names = {negative, reserved, ValueId::integer(4)};
  const std::array<std::int64_t, 2> kept_free = {5, 6};
  const Numbering numbering(pool, names, kNaturals, kept_free, false);
  CHECK(numbering.number(ValueId::integer(4)) == 4);
  CHECK(numbering.number(negative) == 7);
  CHECK(numbering.number(reserved) == 8);
}

TEST_CASE("all integers move by one where zero is taken") {
  ValuePool pool;
  const std::array names = {ValueId::integer(0), ValueId::integer(1)};
  const Numbering numbering(pool, names, kNaturals, {}, true);
  CHECK(numbering.number(ValueId::integer(0)) == 1);
  CHECK(numbering.number(ValueId::integer(1)) == 2);
  CHECK(numbering.is_moved());
  CHECK(numbering.renumbered_count() == 0);
}

TEST_CASE("without room behind the largest everything is numbered anew") {
  ValuePool pool;
  const ValueId largest = pool.integer(kMax);
  const ValueId large = pool.integer(kMax - 1);
  const ValueId x = pool.intern(":x");
  const std::array names = {largest, large, x, ValueId::integer(0)};
  const Numbering numbering(pool, names, kNaturals, {}, true);
  CHECK(numbering.number(largest) == 1);
  CHECK(numbering.number(large) == 2);
  CHECK(numbering.number(x) == 3);
  CHECK(numbering.number(ValueId::integer(0)) == 4);
}

TEST_CASE("fresh numbers occur nowhere else") {
  ValuePool pool;
  const std::array names = {ValueId::integer(3)};
  Numbering numbering(pool, names, kNaturals, {}, false);
  CHECK(numbering.fresh() == 4);
  CHECK(numbering.fresh() == 5);
}

}  // namespace
}  // namespace elapid
