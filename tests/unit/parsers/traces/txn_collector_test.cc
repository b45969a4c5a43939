#include "parsers/traces/txn_collector.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

std::string handed_over(TxnCollector& collector, HistoryBuilder&& builder) {
  REQUIRE(collector.hand_over(builder).ok());
  CHECK(collector.size() == 0);
  const Result<History> history = std::move(builder).build({});
  REQUIRE(history);
  return summary(history.value());
}

TEST_CASE("operations of scattered transactions come together in their order") {
  HistoryBuilder builder;
  TxnCollector collector;
  const KeyId x = builder.key(ValueId::integer(8));
  const std::uint32_t first = collector.begin({.session = 1});
  const std::uint32_t second = collector.begin({.session = 2, .status = TxnStatus::kAborted});
  const std::array elements = {ValueId::integer(1), ValueId::integer(2)};
  collector.add(first, OpKind::kAppend, x, ValueId::integer(1));
  collector.add(second, OpKind::kAppend, x, ValueId::integer(2));
  collector.add_list(first, x, elements);
  collector.add_list(second, x, {});
  collector.add(first, OpKind::kAppend, x, ValueId::integer(3));
  CHECK(handed_over(collector, std::move(builder)) ==
        "1 ok [:append 8 1] [:r 8 (1 2)] [:append 8 3]; 2 fail [:append 8 2] [:r 8 ()]");
}

TEST_CASE("transactions that are not whole are not handed over") {
  HistoryBuilder builder;
  TxnCollector collector;
  const KeyId x = builder.key(ValueId::integer(8));
  for (const std::int64_t n : {1, 2, 3}) {
    const std::uint32_t txn = collector.begin({.session = n});
    collector.add(txn, OpKind::kWrite, x, ValueId::integer(n));
  }
  collector.txn(1).is_whole = false;
  CHECK(handed_over(collector, std::move(builder)) == "1 ok [:w 8 1]; 3 ok [:w 8 3]");
}

TEST_CASE("more than there is room for is an error when it is handed over") {
  for (const std::uint64_t room : {2U, 3U}) {
    HistoryBuilder builder;
    TxnCollector collector(room);
    const KeyId x = builder.key(ValueId::integer(8));
    const std::array elements = {ValueId::integer(1), ValueId::integer(2), ValueId::integer(3)};
    collector.add_list(collector.begin({.session = 1}), x, elements);
    CHECK(collector.hand_over(builder).ok() == (room == 3));
  }
}

TEST_CASE("a transaction without operations is one nevertheless") {
  HistoryBuilder builder;
  TxnCollector collector;
  collector.begin({.session = 4});
  CHECK(handed_over(collector, std::move(builder)) == "4 ok");
}

}  // namespace
}  // namespace elapid
