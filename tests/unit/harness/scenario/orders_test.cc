#include "harness/scenario/orders.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

namespace elapid {
namespace {

TEST_CASE("All interleavings of two sessions are counted and made, the given one first") {
  const StepOrder first = {1, 0, 1, 0};
  const std::vector<StepOrder> orders = all_orders(first);
  CHECK(orders.front() == first);
  CHECK(orders.size() == 6);
  CHECK(std::set(orders.begin(), orders.end()).size() == 6);
  CHECK(std::ranges::all_of(orders, [](const StepOrder& order) {
    return std::ranges::count(order, 0U) == 2 && order.size() == 4;
  }));
  CHECK(count_orders({2, 2}, 100) == 6);
  CHECK(count_orders({2, 2, 2}, 100) == 90);
  CHECK(count_orders({3, 3}, 19) == 20);
  CHECK(count_orders({500, 500}, 10000) == 10001);
}

}  // namespace
}  // namespace elapid
