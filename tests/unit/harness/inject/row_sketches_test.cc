// Each sketch of rows alone: the verdicts on levels agree with brute force.
#include "harness/inject/row_sketches.h"

#include <array>
#include <catch2/catch.hpp>

#include "engine/check/check.h"
#include "harness/generate/simulation.h"
#include "harness/generate/to_history.h"
#include "harness/generate/workloads/predicates.h"
#include "harness/inject/injector.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"

namespace elapid {
namespace {

History alone(std::string_view name) {
  Simulation nothing(*find_store("strict-serializable"), {}, predicate_requests({}),
                     {.transactions = 0});
  Injector injector(nothing, parse_injections(name, Workload::kRows).value(), {});
  Result<History> history = to_history(injector);
  INFO((history.ok() ? "" : history.error().message));
  REQUIRE(history.ok());
  return std::move(history).value();
}

struct RowLevelTruth {
  Model model;
  OrderLevel level;
};

constexpr std::array kRowLevelTruths = {
    RowLevelTruth{Model::kPl3, {Visibility::kSerial, false, false}},
    RowLevelTruth{Model::kStrongSessionSerializable, {Visibility::kSerial, true, false}},
    RowLevelTruth{Model::kPlSs, {Visibility::kSerial, true, true}},
    RowLevelTruth{Model::kPlSi, {Visibility::kSnapshot, false, false}},
    RowLevelTruth{Model::kStrongSessionSnapshotIsolation, {Visibility::kSnapshot, true, false}},
    RowLevelTruth{Model::kStrongSnapshotIsolation, {Visibility::kSnapshot, true, true}},
};

Validity validity_at(const History& history, Model model) {
  return check(history, {.models = {model}}).value().validity;
}

TEST_CASE("row sketches: levels forbid them that brute force refutes, and no others") {
  for (const RowSketch& sketch : row_sketches()) {
    const History history = alone(sketch.name);
    INFO(sketch.name << '\n' << rows_text(history));
    for (const RowLevelTruth& row : kRowLevelTruths) {
      INFO("at " << friendly_name(row.model));
      CHECK((validity_at(history, row.model) == Validity::kValid) == rows_hold(history, row.level));
    }
    CHECK((validity_at(history, Model::kPl299) == Validity::kValid) ==
          rows_are_repeatable(history));
    CHECK((validity_at(history, Model::kPl2) == Validity::kValid) ==
          rows_are_read_committed(history));
    CHECK_FALSE(rows_hold(history, {Visibility::kSerial, true, true}));
  }
}

TEST_CASE("row sketches: some level calls each what it is for") {
  for (const RowSketch& sketch : row_sketches()) {
    const History history = alone(sketch.name);
    AnomalySet called = {};
    for (const RowLevelTruth& row : kRowLevelTruths) {
      called |= types_of(check(history, {.models = {row.model}}).value().anomalies);
    }
    called |= types_of(check(history, {.models = {Model::kPl2}}).value().anomalies);
    INFO(sketch.name);
    CHECK((called & sketch.types) == sketch.types);
  }
}

TEST_CASE("row sketches: the text says operations and what they found") {
  const std::vector<SketchedRowEvent> events =
      parse_row_sketch("0> ; 1- d2-3:1; 0+ i1=5 u0-9=7:1 s0-9:1=7,2=8 s4-4: r1=7 r2 U1=6 D1");
  REQUIRE(events.size() == 4);
  CHECK(events[0].type == EventType::kInvoke);
  CHECK(events[0].ops.size() == 8);
  CHECK(events[1].type == EventType::kInvoke);
  CHECK(events[2].type == EventType::kFail);
  CHECK(events[2].ops[0].op.kind == PlainRowKind::kDelete);
  CHECK(events[2].ops[0].found == std::vector<std::int64_t>{1});
  const std::vector<SketchedRowOp>& ops = events[3].ops;
  CHECK(ops[0].op.key == 1);
  CHECK(ops[1].op.value == 7);
  CHECK(ops[2].found == std::vector<std::int64_t>{1, 0, 7, 2, 2, 0, 8, 4});
  CHECK(ops[3].found.empty());
  CHECK(ops[3].op.low == 4);
  CHECK(ops[4].op.by == PlainRowsBy::kRow);
  CHECK(ops[4].found == std::vector<std::int64_t>{1, 0, 7, 2});
  CHECK(ops[5].found.empty());
  CHECK(ops[6].op.kind == PlainRowKind::kUpdate);
  CHECK(ops[6].op.value == 6);
  CHECK(ops[7].op.kind == PlainRowKind::kDelete);
}

TEST_CASE("row sketches: names are those of rows alone") {
  CHECK(parse_injections("G2:2,lost-update", Workload::kRows).value().size() == 2);
  CHECK(parse_injections("predicate-read-miss", Workload::kRows)
            .error()
            .message.starts_with(
                "there is no anomaly predicate-read-miss; these can be injected into rows: G-non"));
}

}  // namespace
}  // namespace elapid
