#include "tests/oracle/oracle.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/sketch/tiny_history.h"
#include "tests/support/order_levels.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

std::string levels(const History& history) {
  return names_of_levels([&](OrderLevel level) { return holds(history, level); });
}

std::string list_levels(std::string_view text) {
  return levels(list_history(text));
}

std::string register_levels(std::string_view text) {
  return levels(register_history(text));
}

constexpr std::string_view kAll =
    "strong-ser session-ser ser strong-si session-si si strong-pc session-pc pc";

TEST_CASE("oracle: what happened one after another holds at every level") {
  CHECK(list_levels("") == kAll);
  CHECK(list_levels("ax1; rx1 ax2 rx12; rx12 ay1; ry1 rx12") == kAll);
  CHECK(register_levels("rx_; wx1; rx1 wx2 rx2; rx2") == kAll);
}

TEST_CASE("oracle: a stale read breaks what orders it after the write") {
  CHECK(list_levels("0 ax1; 1 rx") == "session-ser ser session-si si session-pc pc");
  CHECK(list_levels("0 ax1; 0 rx") == "ser si pc");
  CHECK(list_levels("0> ax1; 1 rx_; 0+ ax1") == kAll);
  CHECK(register_levels("0 wx1; 0 wx2; 1 rx2; 1 rx1") == "ser si pc");
}

TEST_CASE("oracle: write skew is what snapshot isolation allows") {
  CHECK(list_levels("0> rx_ ay1; 1> ry_ ax1; 0+ rx ay1; 1+ ry ax1") ==
        "strong-si session-si si strong-pc session-pc pc");
  CHECK(register_levels("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1") ==
        "strong-si session-si si strong-pc session-pc pc");
}

TEST_CASE("oracle: a long fork is what prefixes forbid") {
  CHECK(list_levels("ax1; ay1; rx1 ry; rx ry1").empty());
  CHECK(register_levels("0> wx1; 1> wy1; 2 rx1 ry_; 3 rx_ ry1; 0+ wx1; 1+ wy1").empty());
}

TEST_CASE("oracle: a lost update is what snapshot isolation forbids and prefixes allow") {
  CHECK(list_levels("rx ax1; rx ax2; rx12") == "session-pc pc");
  CHECK(register_levels("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2") ==
        "strong-pc session-pc pc");
  CHECK(register_levels("0 rx_ wx1; 0 rx_ wx2") == "pc");
}

TEST_CASE("oracle: blind writers of one key do not overlap under snapshot isolation") {
  CHECK(register_levels("0> ry_ wz1; 1> rz_ wy1; 0+ ry_ wz1; 1+ rz_ wy1") ==
        "strong-si session-si si strong-pc session-pc pc");
  CHECK(register_levels("0> ry_ wz1 wx1; 1> rz_ wy1 wx2; 0+ ry_ wz1 wx1; 1+ rz_ wy1 wx2") ==
        "strong-pc session-pc pc");
}

TEST_CASE("oracle: an indeterminate transaction follows its session, and precedes no transaction") {
  CHECK(register_levels("0 wx2; 0 wx1; 0? rx2 wy1; 1 ry1") == "ser si pc");
  CHECK(register_levels("0? wx1; 0 rx_; 0 rx1") == kAll);
}

TEST_CASE("oracle: real time and sessions count each on its own") {
  const History history = register_history("0 wx1; 0 wx2; 1 rx1");
  CHECK(holds(history, OrderLevel{Visibility::kSerial, true, false}));
  CHECK_FALSE(holds(history, OrderLevel{Visibility::kSerial, false, true}));
  const TinyHistory tiny = parse_tiny(Workload::kRwRegister, "0 wx1; 0 rx_");
  CHECK(holds(build_trace(tiny, {}), OrderLevel{Visibility::kSerial, false, true}));
  CHECK_FALSE(holds(build_trace(tiny, {}), OrderLevel{Visibility::kSerial, true, true}));
}

TEST_CASE("oracle: a recorded initial transaction comes first") {
  const auto trace = [](std::string_view text) {
    return build_trace(parse_tiny(Workload::kRwRegister, text), {.has_initial_txn = true});
  };
  CHECK(levels(trace("wx1; rx_; rx1")) == kAll);
  CHECK(levels(trace("0 wx1; 0 rx_")) == "ser si pc");
  CHECK(levels(trace("0 wx1 wy1; rx1 ry_")).empty());
}

TEST_CASE("oracle: aborted transactions are never seen, indeterminate ones perhaps") {
  CHECK(list_levels("-ax1; rx1").empty());
  CHECK(list_levels("-ax1; rx") == kAll);
  CHECK(list_levels("?ax1; rx1; rx1") == kAll);
  CHECK(list_levels("?ax1; rx; rx1") == kAll);
  CHECK(list_levels("?ax1; 1 rx1; 1 rx") == "ser si pc");
  CHECK(list_levels("0> ax1; 1 rx1") == kAll);
}

TEST_CASE("oracle: what an indeterminate transaction read counts only if it is seen") {
  CHECK(list_levels("?rx5 ax1; rx") == kAll);
  CHECK(list_levels("?rx5 ax1; rx1").empty());
  CHECK(register_levels("?rx_ wx1; wx2; rx1") == kAll);
}

TEST_CASE("oracle: an indeterminate transaction did what it was invoked with") {
  CHECK(list_levels("0> ax1 ry_; 0?; rx1") == kAll);
  CHECK(list_levels("0> ax1; 0-; rx1").empty());
}

TEST_CASE("oracle: a value written twice may come from either writer") {
  CHECK(register_levels("wx1; wx2; wx1; rx1") == kAll);
  CHECK(list_levels("ax1; ax1; rx11") == kAll);
  CHECK(list_levels("ax1; rx11").empty());
}

TEST_CASE("oracle: own writes are read") {
  CHECK(list_levels("ax1 rx1; rx1") == kAll);
  CHECK(list_levels("ax1 rx").empty());
  CHECK(register_levels("wx1 wx2 rx1").empty());
  CHECK(register_levels("rx2 wx2").empty());
}

TEST_CASE("oracle: levels may differ by transaction") {
  constexpr OrderLevel kSerial = {Visibility::kSerial};
  constexpr OrderLevel kSnapshot = {Visibility::kSnapshot};
  constexpr OrderLevel kPrefix = {Visibility::kPrefix};
  constexpr OrderLevel kCommitted = {Visibility::kNothing};
  using Levels = std::vector<OrderLevel>;
  const History skew = list_history("rx ay1; ry ax1; rx1 ry1");
  CHECK(holds(skew, TxnLevels(Levels{kCommitted, kSerial, kSerial})));
  CHECK_FALSE(holds(skew, TxnLevels(Levels{kSerial, kSerial, kCommitted})));
  const History lost = list_history("rx ax1; ax2; rx21");
  CHECK_FALSE(holds(lost, TxnLevels(Levels{kSnapshot, kSerial, kSerial})));
  CHECK_FALSE(holds(lost, TxnLevels(Levels{kSnapshot, kCommitted, kSerial})));
  CHECK(holds(lost, TxnLevels(Levels{kPrefix, kSnapshot, kSerial})));
  const History fractured = register_history("wx1 wy1; rx1 ry_ rx_; rx1");
  CHECK(holds(fractured, TxnLevels(Levels{kSerial, kCommitted, kSerial})));
  const History circle = register_history("rx1 wy1; ry1 wx1");
  CHECK_FALSE(holds(circle, TxnLevels(Levels{kCommitted, kSerial})));
  CHECK_FALSE(holds(circle, kCommitted));
}

}  // namespace
}  // namespace elapid
