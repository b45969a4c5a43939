#include "engine/argue/known_order.h"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/oracle/random_rows.h"

namespace elapid::argue {
namespace {

TEST_CASE("known order: what was forced shows in lines, what sessions say does not") {
  const History history = rows_history(
      "0: [:insert 1 {:a 1}]\n"
      "0: [:insert 2 {:a 1}]\n"
      "1: [:insert 3 {:a 1}]\n"
      "2: [:insert 4 {:a 1}]");
  const FixedOrder fixed(history, {Visibility::kSerial, true, false});
  IncrementalOrder order(fixed.vertex_count(), fixed.edges(), fixed.order());
  KnownOrder known(fixed, order, [](std::uint32_t edge) { return 100 + edge; });
  const OrderEvent first = {TxnId{0}};
  const OrderEvent second = {TxnId{1}};
  const OrderEvent third = {TxnId{2}};
  const OrderEvent fourth = {TxnId{3}};
  CHECK(known.precedes(first, second));
  CHECK_FALSE(known.precedes(second, first));
  CHECK_FALSE(known.precedes(first, third));
  CHECK_FALSE(known.precedes(first, first));

  const std::uint32_t forced = order.edge_count();
  REQUIRE(order.insert(fixed.vertex(second), fixed.vertex(third)));
  CHECK(known.precedes(first, third));
  CHECK_FALSE(known.precedes(first, fourth));
  CHECK(known.lines_of({{first, third}}) == std::vector{100 + forced});
  CHECK(known.lines_of({{first, second}}).empty());
  CHECK(known.some_after(first, 10) == std::vector<OrderEvent>{second, third});
  CHECK(known.some_after(first, 2) == std::vector<OrderEvent>{second});
}

}  // namespace
}  // namespace elapid::argue
