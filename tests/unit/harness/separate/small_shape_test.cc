#include "harness/separate/small_shape.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <set>

#include "harness/separate/placement.h"
#include "harness/separate/separate.h"

namespace elapid {
namespace {

std::size_t count(ShapeSize size, ShapeKind kind) {
  std::set<SmallShape> shapes;
  std::size_t made = 0;
  for_all_shapes(size, kind, [&](const SmallShape& shape) {
    shapes.insert(shape);
    ++made;
    return true;
  });
  REQUIRE(shapes.size() == made);
  return made;
}

TEST_CASE("shapes: all of one operation, and of two in one transaction") {
  // wx1.
  CHECK(count({1, 1}, {}) == 1);
  // wx1 wx2, wx1 wy1, wx1 rx_, wx1 rx1, rx_ wx1, rx1 wx1.
  CHECK(count({1, 2}, {}) == 6);
  // A transaction reads first, and writes once: wx1 wy1, rx_ wx1, rx1 wx1.
  CHECK(count({1, 2}, {.are_normal = true}) == 3);
}

TEST_CASE("shapes: two transactions of one operation") {
  // wx1 | wx2, wx1 | wy1, wx1 | rx_, wx1 | rx1, and the last with an aborted writer.
  CHECK(count({2, 2}, {}) == 5);
  CHECK(count({2, 2}, {.are_lists = true}) == 5);
}

TEST_CASE("shapes: lists are seen in every order") {
  // ax1 ax2 | rx with [], [1], [2], [1 2], [2 1]; the four that see something may have an aborted
  // writer as well.
  std::size_t made = 0;
  for_all_shapes({2, 3}, {.are_lists = true}, [&](const SmallShape& shape) {
    const std::vector<SmallOp>& first = shape[0].ops;
    made += first[0].is_write && first[1].is_write && first[0].key == first[1].key &&
            !shape[1].ops[0].is_write;
    return true;
  });
  CHECK(made == 9);
}

TEST_CASE("shapes: a search can be ended") {
  std::size_t made = 0;
  CHECK_FALSE(for_all_shapes({2, 3}, {}, [&](const SmallShape&) { return ++made < 4; }));
  CHECK(made == 4);
}

TEST_CASE("placements: sessions with the least order in time, then all orders of intervals") {
  // Sessions of two: apart, one before the other, the other before the one.
  CHECK(all_placements(2, false).size() == 3);
  // Apart there are three orders of two intervals, and 19 of three.
  CHECK(all_placements(2, true).size() == 5);
  const std::vector<SmallPlacement> three = all_placements(3, true);
  CHECK(std::ranges::count_if(three, [](const SmallPlacement& placement) {
          return placement.sessions == std::vector<std::size_t>{0, 1, 2};
        }) == 19);
  CHECK(three.front().before == Before());
}

TEST_CASE("serial order: kept to what came before in time") {
  const SmallShape stale = {{.ops = {{.is_write = true, .length = 1, .values = {1}}}},
                            {.ops = {{.is_write = false}}}};
  CHECK(has_serial_order(stale, {}, false));
  CHECK(has_serial_order(stale, {0b10, 0}, false));
  CHECK_FALSE(has_serial_order(stale, {0, 0b01}, false));
}

}  // namespace
}  // namespace elapid
