#include "adapter/report/views/spread.h"

#include <catch2/catch.hpp>
#include <vector>

namespace elapid {
namespace {

TEST_CASE("what has room stands where it wishes") {
  CHECK(spread({{.wish = 0, .size = 10}, {.wish = 30, .size = 10}}) == std::vector<double>{0, 30});
  CHECK(spread({}).empty());
}

TEST_CASE("what has no room keeps its order and distance and meets in the middle") {
  CHECK(spread({{.wish = 0, .size = 10}, {.wish = 0, .size = 10}}) == std::vector<double>{-5, 5});
  CHECK(spread({{.wish = 8, .size = 4}, {.wish = 4, .size = 4}, {.wish = 30, .size = 4}}) ==
        std::vector<double>{4, 8, 30});
}

TEST_CASE("what counts more moves less") {
  CHECK(spread({{.wish = 0, .weight = 3, .size = 4}, {.wish = 0, .size = 4}}) ==
        std::vector<double>{-1, 3});
}

}  // namespace
}  // namespace elapid
