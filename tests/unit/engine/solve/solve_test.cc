#include "engine/solve/solve.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "harness/sketch/tiny_history.h"
#include "tests/support/tiny_trace.h"
#include "tests/unit/engine/solve/certified_solve.h"

namespace elapid {
namespace {

constexpr std::string_view kAll =
    "strong-ser session-ser ser strong-si session-si si strong-pc session-pc pc";
constexpr std::string_view kAllButSerializable = "strong-si session-si si strong-pc session-pc pc";

std::string levels(const History& history) {
  return names_of_levels([&](OrderLevel level) {
    return certified_solve(history, level).validity == Validity::kValid;
  });
}

std::string register_levels(std::string_view text) {
  return levels(register_history(text));
}

std::string list_levels(std::string_view text) {
  return levels(list_history(text));
}

History trace(std::string_view text, TinyTraceForm form = {}) {
  return build_trace(parse_tiny(Workload::kRwRegister, text), form);
}

/// Of a session trace without times, in which nil stands for 0, the initial value: the levels
/// without real time.
std::string trace_levels(std::string_view text, TinyTraceForm form = {}) {
  const History history = trace(text, form);
  return names_of_levels([&](OrderLevel level) {
    return !level.real_time && certified_solve(history, level).validity == Validity::kValid;
  });
}

constexpr std::string_view kAllOfTrace = "session-ser ser session-si si session-pc pc";

SolveResult solve_serializable(const History& history) {
  return certified_solve(history, {Visibility::kSerial, true, false});
}

TEST_CASE("solve: what happened one after another holds at every level") {
  CHECK(register_levels("") == kAll);
  CHECK(register_levels("rx_; wx1; rx1 wx2 rx2; rx2") == kAll);
  CHECK(list_levels("ax1; rx1 ax2 rx12; rx12 ay1; ry1 rx12") == kAll);
}

TEST_CASE("solve: each level allows what it is known for") {
  CHECK(register_levels("0 wx1; 0 wx2; 1 rx2; 1 rx1") == "ser si pc");
  CHECK(register_levels("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1") == kAllButSerializable);
  CHECK(list_levels("0> rx_ ay1; 1> ry_ ax1; 0+ rx ay1; 1+ ry ax1") == kAllButSerializable);
  CHECK(register_levels("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2") ==
        "strong-pc session-pc pc");
  CHECK(register_levels("0> wx1; 1> wy1; 2 rx1 ry_; 3 rx_ ry1; 0+ wx1; 1+ wy1").empty());
}

TEST_CASE("solve: writers that read initial values wait for one another in a ring") {
  // Two transactions each read the initial x and write y, y and z, z and x.
  const std::string_view ring =
      "0> rx_ wy1; 1> rx_ wy2; 2> ry_ wz1; 3> ry_ wz2; 4> rz_ wx1; 5> rz_ wx2; "
      "0+ rx_ wy1; 1+ rx_ wy2; 2+ ry_ wz1; 3+ ry_ wz2; 4+ rz_ wx1; 5+ rz_ wx2";
  CHECK(register_levels(ring) == "strong-pc session-pc pc");
  // A pair fewer, and its one transaction may come first.
  CHECK(register_levels("0> rx_ wy1; 2> ry_ wz1; 3> ry_ wz2; 4> rz_ wx1; 5> rz_ wx2; "
                        "0+ rx_ wy1; 2+ ry_ wz1; 3+ ry_ wz2; 4+ rz_ wx1; 5+ rz_ wx2") ==
        kAllButSerializable);
  // The same transactions in two pairs.
  CHECK(register_levels("0> rx_ ry_ wx1 wy1; 1> rx_ ry_ wx2 wy2; "
                        "0+ rx_ ry_ wx1 wy1; 1+ rx_ ry_ wx2 wy2") == "strong-pc session-pc pc");
}

TEST_CASE("solve: a value that several wrote was read from whom it may have been") {
  CHECK(register_levels("wx1; wx2; wx1; rx1") == kAll);
  CHECK(register_levels("wx1; wx2; rx1; wx1; rx1") ==
        "session-ser ser session-si si session-pc pc");
  CHECK(register_levels("0 wx1 wy1; 1 wx1 wy2; 2 rx1 ry1; 2 rx1 ry2; 2 rx1 ry1") == "ser si pc");
}

TEST_CASE("solve: an element that several appended was appended by whom it may have been") {
  CHECK(list_levels("ax1; ax1; rx11") == kAll);
  CHECK(list_levels("ax1; rx11").empty());
  CHECK(list_levels("ax1; ax2; ax1; rx121") == kAll);
  CHECK(list_levels("ax1; ax1; rx1; rx11") == "session-ser ser session-si si session-pc pc");
  CHECK(
      list_levels("0> ax1 ay1; 1> ax1 ay2; 0+ ax1 ay1; 1+ ax1 ay2; 2 rx1 ry1; 3 rx1 ry2").empty());
  CHECK(list_levels("0 ax1 ax2; 1 ax1; 1 ax2; 2 rx212") == "ser si pc");
}

TEST_CASE("solve: lists with repeated elements show who took effect") {
  CHECK(list_levels("ax1; ?ax1 ry1; ay1; rx11") == kAll);
  CHECK(list_levels("ax1; ?ax1 ry1; rx11").empty());
  CHECK(list_levels("?ax1; ?ax1; rx1; rx1") == kAll);
  CHECK(list_levels("?ax1 ry12; ?ax1 ry21; ay1; ay2; rx1") == kAll);
  CHECK(list_levels("?ax1 ry12; ?ax1 ry21; ay1; ay2; rx11").empty());
}

Validity with_keys(std::string_view text, const Assumptions& assumptions) {
  return certified_solve(register_history(text), {}, assumptions).validity;
}

TEST_CASE("solve: assumptions about keys bind the order of each key, and no more") {
  const Assumptions sequential = {.sequential_keys = true};
  const Assumptions linearizable = {.linearizable_keys = true};
  CHECK(with_keys("0 wx1; 0 wx2; 1 rx2; 1 rx1", {}) == Validity::kValid);
  CHECK(with_keys("0 wx1; 0 wx2; 1 rx2; 1 rx1", sequential) == Validity::kInvalid);
  CHECK(with_keys("0 wx1; 0 wy1; 1 ry1; 1 rx_", sequential) == Validity::kValid);
  CHECK(with_keys("0 wx1; 1 rx1; 2 rx_", sequential) == Validity::kValid);
  CHECK(with_keys("0 wx1; 1 rx1; 2 rx_", linearizable) == Validity::kInvalid);
  CHECK(with_keys("0 wx1; 1 wx1; 2 wx2; 3 rx2; 3 rx1", sequential) == Validity::kValid);
  CHECK(with_keys("0 wx1; 1 wx1; 2 wx2; 3 rx2; 3 rx1", linearizable) == Validity::kInvalid);
  CHECK(with_keys("0 rx1 wx2; 1 wx1", {.wfr_keys = true}) == Validity::kValid);
}

TEST_CASE("solve: an order of transactions that was given is that of their versions") {
  const std::string_view text = "0 wx1 wy1; 1 wx2 wy2; 2 rx1 ry1";
  CHECK(with_keys(text, {.transaction_order = {{1, 2}, {3, 1}}}) == Validity::kValid);
  CHECK(with_keys("0 wx1; 1 rx1 wx2; 2 rx2", {.transaction_order = {{1, 2}, {3, 1}}}) ==
        Validity::kInvalid);
}

// Seven histories that are not snapshot-isolated, found where another checker said they were.
TEST_CASE("solve: cycles that only the second search meets") {
  CHECK(trace_levels("0 rz1 wx1; 1 rx1 wx1; 1 wx1; 2 wz1 rx1") == "ser si pc");
  CHECK(trace_levels("0 rx1; 0 rx_; 1 wx1; 1 wx3; 1 wx6; 2 wx5; 2 rx_; 2 rx1 wx2") == "ser si pc");
  CHECK(trace_levels("0 rx1 wx1; 1 rx1 wx1; 2 rx_ wx1; 3 rx1; 3 wx1; 3 rx_") == "ser si pc");
}

TEST_CASE("solve: a way along a session is one edge") {
  for (const OrderLevel level : {OrderLevel{Visibility::kSerial, true, false},
                                 OrderLevel{Visibility::kSnapshot, true, false}}) {
    const History history = register_history("0 wx1; 0+; 0 wy1; 0+; 0 rx_");
    const SolveResult result = solve(history, {.level = level, .minimal = false});
    REQUIRE(result.refutation);
    CHECK(result.refutation->steps.back().cycle.size() == 2);
  }
}

TEST_CASE("solve: the initial state is before everything") {
  CHECK(trace_levels("0 wx1; 0 rx_") == "ser si pc");
  CHECK(trace_levels("0 wx1; 1 rx1; 1 rx_") == "ser si pc");
  CHECK(trace_levels("0 wx1; 0 wy1; 1 ry1; 1 rx_") == "ser si pc");
  CHECK(trace_levels("0 wx1 wy1; 1 ry1 rx_").empty());
}

TEST_CASE("solve: a recorded initial transaction is no second writer of its value") {
  constexpr TinyTraceForm kWithInitial = {.has_initial_txn = true};
  CHECK(trace_levels("0 rx_ ry_ wx1; 1 rx_ ry_ wy1", kWithInitial) ==
        "session-si si session-pc pc");
  CHECK(trace_levels("0 wx1; 0 rx_", kWithInitial) == "ser si pc");
  CHECK(trace_levels("0 wx1 wy1; 1 rx1 ry_", kWithInitial).empty());
}

TEST_CASE("solve: the initial value written again is read from either") {
  CHECK(trace_levels("0 wx1; 1 wx0; 2 rx1; 2 rx0") == kAllOfTrace);
  CHECK(trace_levels("0 rx0 wx1; 1 rx1 wx0; 2 rx0 wx1") == kAllOfTrace);
  CHECK(trace_levels("0 rx0 wx0; 1 rx0 wx0; 2 rx0") == kAllOfTrace);
  CHECK(trace_levels("0 rx0 wx1; 1 rx0 wx1").find("ser") == std::string::npos);
}

TEST_CASE("solve: transactions and sessions without operations") {
  CHECK(register_levels("0+; 0+; wx1; rx1") == kAll);
  CHECK(trace_levels("0+; 1+; 1+") == kAllOfTrace);
  CHECK(register_levels("wx1; 1+; 2 rx_") == "session-ser ser session-si si session-pc pc");
}

TEST_CASE("solve: a key that is never written") {
  CHECK(register_levels("rx_; rx_ ry_") == kAll);
  CHECK(trace_levels("0 rx0; 1 rx_") == kAllOfTrace);
  CHECK(register_levels("rx_; rx1").empty());
}

TEST_CASE("solve: a read of an unwritten value is an anomaly with its operation") {
  const SolveResult result = solve_serializable(register_history("wx1; rx1; ry_ rx7"));
  CHECK(result.validity == Validity::kInvalid);
  REQUIRE(result.anomalies.size() == 1);
  const Anomaly& anomaly = result.anomalies.front();
  CHECK(anomaly.type == AnomalyType::kGarbageRead);
  const auto* read = std::get_if<ReadEvidence>(&anomaly.evidence);
  REQUIRE(read != nullptr);
  CHECK(read->reader == TxnId{2});
  CHECK(read->mop == 1);
}

TEST_CASE("solve: reads that no order explains, at every level") {
  CHECK(register_levels("wx1; rx7").empty());
  CHECK(register_levels("-wx1; rx1").empty());
  CHECK(register_levels("wx1 wx2; rx1").empty());
  CHECK(register_levels("wx1 rx2; wx2").empty());
  CHECK(register_levels("rx1 wx1").empty());
  CHECK(list_levels("ax1; rx12").empty());
  CHECK(list_levels("-ax1; rx1").empty());
}

TEST_CASE("solve: an intermediate read is one though its reader wrote the value, too") {
  const SolveResult result = solve_serializable(register_history("wx1 wx2; rx1 ry_; rx1 wx1 wx3"));
  REQUIRE(result.anomalies.size() == 2);
  for (const Anomaly& anomaly : result.anomalies) {
    CHECK(anomaly.type == AnomalyType::kG1b);
    const auto* read = std::get_if<ReadEvidence>(&anomaly.evidence);
    REQUIRE(read != nullptr);
    REQUIRE(read->writer);
    CHECK(read->writer->txn != read->reader);
  }
}

TEST_CASE("solve: a value written twice in one transaction") {
  CHECK(register_levels("wx1 wx1; rx1") == kAll);
  CHECK(register_levels("wx1 wx2 wx1; rx1") == kAll);
  CHECK(register_levels("wx1 wx2 wx1; rx2").empty());
  CHECK(register_levels("wx1 wx2; wx1; rx2; rx1").find("strong") == std::string::npos);
}

TEST_CASE("solve: indeterminate transactions take effect where they are seen") {
  CHECK(register_levels("?wx1; rx1; rx1") == kAll);
  CHECK(register_levels("?wx1; rx_; rx1") == kAll);
  CHECK(register_levels("?wx1; 1 rx1; 1 rx_") == "ser si pc");
  CHECK(register_levels("?rx7 wx1; rx_") == kAll);
  CHECK(register_levels("?rx7 wx1; rx1").empty());
  CHECK(register_levels("0? wx1; 0 rx_; 0 rx1") == kAll);
  CHECK(register_levels("0 wx2; 0 wx1; 0? rx2 wy1; 1 ry1") == "ser si pc");
  CHECK(register_levels("?wx1 wy1; wx1; rx1 ry_") == kAll);
}

}  // namespace
}  // namespace elapid
