#include "tests/oracle/oracle.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "tests/support/tiny_history.h"

namespace elapid {
namespace {

constexpr OracleLevel kSerializable{OracleSnapshot::kLatest, OracleOrder::kNone};
constexpr OracleLevel kSessionSerializable{OracleSnapshot::kLatest, OracleOrder::kSession};
constexpr OracleLevel kStrictSerializable{OracleSnapshot::kLatest, OracleOrder::kRealtime};
constexpr OracleLevel kSnapshotIsolation{OracleSnapshot::kAny, OracleOrder::kNone};
constexpr OracleLevel kSessionSnapshotIsolation{OracleSnapshot::kAny, OracleOrder::kSession};
constexpr OracleLevel kStrongSnapshotIsolation{OracleSnapshot::kAny, OracleOrder::kRealtime};

/// The levels that hold, as `ser session-ser strict-ser si session-si strong-si`.
std::string levels(const History& history) {
  std::string out;
  const auto add = [&](std::string_view name, OracleLevel level) {
    if (holds(history, level)) {
      out += (out.empty() ? "" : " ") + std::string(name);
    }
  };
  add("ser", kSerializable);
  add("session-ser", kSessionSerializable);
  add("strict-ser", kStrictSerializable);
  add("si", kSnapshotIsolation);
  add("session-si", kSessionSnapshotIsolation);
  add("strong-si", kStrongSnapshotIsolation);
  return out;
}

std::string list_levels(std::string_view text) {
  return levels(list_history(text));
}

std::string register_levels(std::string_view text) {
  return levels(register_history(text));
}

constexpr std::string_view kAll = "ser session-ser strict-ser si session-si strong-si";

TEST_CASE("oracle: what happened one after another holds at every level") {
  CHECK(list_levels("") == kAll);
  CHECK(list_levels("ax1; rx1 ax2 rx12; rx12 ay1; ry1 rx12") == kAll);
  CHECK(register_levels("rx_; wx1; rx1 wx2 rx2; rx2") == kAll);
}

TEST_CASE("oracle: a stale read breaks what orders it after the write") {
  CHECK(list_levels("0 ax1; 1 rx") == "ser session-ser si session-si");
  CHECK(list_levels("0 ax1; 0 rx") == "ser si");
  CHECK(list_levels("0> ax1; 1 rx_; 0+ ax1") == kAll);
  CHECK(register_levels("0 wx1; 0 wx2; 1 rx2; 1 rx1") == "ser si");
}

TEST_CASE("oracle: write skew is what snapshot isolation allows") {
  CHECK(list_levels("0> rx_ ay1; 1> ry_ ax1; 0+ rx ay1; 1+ ry ax1") == "si session-si strong-si");
  CHECK(register_levels("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1") ==
        "si session-si strong-si");
}

TEST_CASE("oracle: a long fork and a lost update are what it forbids") {
  CHECK(list_levels("ax1; ay1; rx1 ry; rx ry1").empty());
  CHECK(list_levels("rx ax1; rx ax2; rx12").empty());
  CHECK(register_levels("rx_ wx1; rx_ wx2").empty());
}

TEST_CASE("oracle: aborted transactions are never seen, indeterminate ones perhaps") {
  CHECK(list_levels("-ax1; rx1").empty());
  CHECK(list_levels("-ax1; rx") == kAll);
  CHECK(list_levels("?ax1; rx1; rx1") == kAll);
  CHECK(list_levels("?ax1; rx; rx1") == kAll);
  CHECK(list_levels("?ax1; 1 rx1; 1 rx") == "ser si");
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

}  // namespace
}  // namespace elapid
