// Keys whose versions have one of several orders: which choices of orders fit one another.
#include "engine/infer/tied_orders.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"

namespace elapid {
namespace {

using Orders = std::vector<std::vector<TxnId>>;

History transactions(std::uint32_t count) {
  HistoryBuilder builder;
  for (std::uint32_t process = 0; process < count; ++process) {
    REQUIRE(builder.add_event({.type = EventType::kInvoke, .process = process}).ok());
    REQUIRE(builder.add_event({.type = EventType::kOk, .process = process}).ok());
  }
  Result<History> built = std::move(builder).build({});
  REQUIRE(built.ok());
  return std::move(built).value();
}

Inference tied(const std::vector<Orders>& keys) {
  Inference inference;
  for (const Orders& orders : keys) {
    inference.tied.push_back({.orders = orders, .behind = {}});
  }
  return inference;
}

const std::vector<TxnId> kForth = {TxnId{0}, TxnId{1}};
const std::vector<TxnId> kBack = {TxnId{1}, TxnId{0}};

TEST_CASE("tied orders: one order of each key fits those of the others") {
  const History history = transactions(2);
  const auto finds = [&](const std::vector<Orders>& keys, bool goes_on) {
    return finds_order_of_writers(history, tied(keys), {}, [&] { return goes_on; });
  };
  CHECK(finds({{kForth, kBack}, {kBack}}, true));
  CHECK_FALSE(finds({{kForth}, {kBack}}, true));
  CHECK_FALSE(finds({{kForth, kBack}, {kBack}}, false));
}

TEST_CASE("tied orders: edges that are inserted and taken back count as work") {
  constexpr std::uint32_t kLength = 100;
  std::vector<TxnId> others;
  for (std::uint32_t txn = 2; txn < 2 + kLength; ++txn) {
    others.push_back(TxnId{txn});
  }
  std::size_t tries = 0;
  CHECK_FALSE(finds_order_of_writers(transactions(2 + kLength),
                                     tied({Orders(1000, others), {kForth}, {kBack}}), {}, [&] {
                                       ++tries;
                                       return true;
                                     }));
  CHECK(tries < 300);
}

}  // namespace
}  // namespace elapid
