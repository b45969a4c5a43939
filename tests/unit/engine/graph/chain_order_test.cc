#include "engine/graph/chain_order.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

namespace elapid {
namespace {

using Places = std::vector<ChainOrder::Place>;

TEST_CASE("an order stays with a chain as long as it can") {
  CHECK(ChainOrder({2, 2}).in_order() == Places{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  ChainOrder order({2, 2});
  order.must(order.node(1, 1), order.node(0, 1));
  CHECK(order.in_order() == Places{{0, 0}, {1, 0}, {1, 1}, {0, 1}});
}

TEST_CASE("there is room for a wish unless it contradicts what is known") {
  ChainOrder order({2, 2});
  CHECK(order.prefer(order.node(0, 0), order.node(1, 1)));
  CHECK(order.prefer(order.node(1, 0), order.node(0, 1)));
  CHECK(order.prefer(order.last(0), order.last(1)));
  CHECK_FALSE(order.prefer(order.last(1), order.node(0, 0)));
}

TEST_CASE("orders that contradict one another still give all nodes once") {
  ChainOrder order({2, 3, 0});
  order.must(order.node(0, 1), order.node(1, 0));
  order.must(order.node(1, 2), order.node(0, 0));
  const Places places = order.in_order();
  CHECK(places.size() == 5);
  for (const ChainOrder::Place& place : places) {
    CHECK(std::ranges::count(places, place) == 1);
  }
}

}  // namespace
}  // namespace elapid
