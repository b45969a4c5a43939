#include "adapter/cli/options/transaction_order.h"

#include <catch2/catch.hpp>

#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("a transaction order is a map of integers") {
  const Result<TransactionOrder> order = read_transaction_order(" {3 4, 1 2}");
  REQUIRE(order);
  CHECK(order.value() == TransactionOrder{{1, 2}, {3, 4}});
  CHECK(read_transaction_order("{}").value().empty());
}

TEST_CASE("a transaction order may stand in a file") {
  const TemporaryFile file("; by commit\n{1 10\n 3 -2}\n");
  CHECK(read_transaction_order(file.path()).value() == TransactionOrder{{1, 10}, {3, -2}});
}

TEST_CASE("what is wrong with a transaction order is said with its place") {
  const auto message = [](const std::string& text) {
    const Result<TransactionOrder> order = read_transaction_order(text);
    REQUIRE_FALSE(order);
    CHECK(order.error().kind == ErrorKind::kUsage);
    return order.error().to_string();
  };
  CHECK_THAT(message("{1 :a}"), Contains(":1:4: ") && Contains("number of a completion"));
  CHECK_THAT(message("{1}"), Contains("number of a completion"));
  CHECK_THAT(message("{1 2"), Contains(":1:"));
  CHECK_THAT(message("{1 2} 3"), Contains("behind the map"));
  CHECK_THAT(message("{1 2 1 3}"), Contains("twice"));
}

TEST_CASE("a file with something else is malformed, a missing one unreadable") {
  const TemporaryFile file("[1 2]\n");
  CHECK(read_transaction_order(file.path()).error().kind == ErrorKind::kMalformed);
  CHECK(read_transaction_order("/nonexistent/order.edn").error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
