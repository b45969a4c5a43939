#include "harness/scenario/orders.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

namespace elapid {
namespace {

TEST_CASE("All interleavings of two sessions are counted and made, the steps' own first") {
  const std::vector<StepOrder> orders = all_orders({1, 0, 1, 0});
  CHECK(orders.front() == StepOrder{0, 1, 2, 3});
  CHECK(orders.size() == 6);
  CHECK(std::set(orders.begin(), orders.end()).size() == 6);
  // Each session's own steps stay in their order.
  CHECK(std::ranges::all_of(orders, [](const StepOrder& order) {
    const auto place = [&](std::size_t step) { return std::ranges::find(order, step); };
    return order.size() == 4 && place(0) < place(2) && place(1) < place(3);
  }));
  CHECK(orders[1] == StepOrder{1, 3, 0, 2});
  CHECK(count_orders({2, 2}, 100) == 6);
  CHECK(count_orders({2, 2, 2}, 100) == 90);
  CHECK(count_orders({3, 3}, 19) == 20);
  CHECK(count_orders({500, 500}, 10000) == 10001);
}

}  // namespace
}  // namespace elapid
