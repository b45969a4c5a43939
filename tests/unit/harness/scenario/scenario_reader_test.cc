#include "harness/scenario/scenario_reader.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace elapid {
namespace {

std::string reader_error(const std::string& text) {
  const Result<Scenario> scenario = parse_scenario("f", text);
  return scenario ? "" : scenario.error().to_string();
}

Scenario read_well(const std::string& text) {
  Result<Scenario> scenario = parse_scenario("dir/some.scenario", text);
  INFO((scenario ? "" : scenario.error().to_string()));
  REQUIRE(scenario.ok());
  return std::move(scenario).value();
}

TEST_CASE("Steps of sessions on lists") {
  const Scenario scenario = read_well(
      "; a comment\n"
      "about  One thing,\n"
      "about  and another.\n"
      "start [:append :x 1]\n"
      "A: begin\n"
      "\tB: [:r :x] ; what it finds\n"
      "A: [:append :x 2]\r\n"
      "A: commit\n"
      "B: rollback");
  CHECK(scenario.name == "some");
  CHECK(scenario.about == "One thing, and another.");
  CHECK(scenario.sessions == std::vector<std::string>{"A", "B"});
  CHECK(scenario.starts == 1);
  CHECK_FALSE(scenario.has_rows());
  CHECK(scenario.script.has_lists());
  REQUIRE(scenario.steps.size() == 5);
  CHECK(scenario.steps[0].kind == StepRequest::Kind::kBegin);
  CHECK(scenario.steps[1].text == "[:r :x]");
  CHECK(scenario.ops_of(scenario.steps[1]).front().kind() == OpKind::kReadList);
  CHECK(scenario.ops_of(scenario.steps[2]).front().kind() == OpKind::kAppend);
  CHECK(scenario.steps[4].kind == StepRequest::Kind::kRollback);
  CHECK(scenario.steps[4].line == 9);
  CHECK(scenario.orders == std::vector<std::vector<std::size_t>>{{0, 1, 2, 3, 4}});
}

TEST_CASE("Rows in several tables, and orders") {
  const Scenario scenario = read_well(
      "table 1 9\n"
      "table 10 19\n"
      "index :age\n"
      "set postgres: set enable_seqscan = off\n"
      "start [:insert 1 {:age 3}] [:insert 12 {}]\n"
      "A: [:rp [:and [:key 10 19] [:= :age 3]]]\n"
      "B: [:update 1 {:age nil}]\n"
      "A: commit\n"
      "order B A A\n");
  CHECK(scenario.has_rows());
  CHECK(scenario.tables.size() == 2);
  CHECK(scenario.indexes == std::vector<std::string>{":age"});
  CHECK(scenario.settings.front().sql == "set enable_seqscan = off");
  CHECK(scenario.orders == std::vector<std::vector<std::size_t>>{{1, 0, 2}});
  CHECK(read_well("A: [:r 1]\nB: [:w 1 2]\norders all").orders.size() == 2);
}

TEST_CASE("Steps with names, several operations, and orders that leave some out") {
  const Scenario scenario = read_well(
      "prepare postgres: create index i on elapid_rows_0 (c_a)\n"
      "set postgres B: set force_parallel_mode = on\n"
      "A look: [:rp :true] [:insert 1 {:a 2}]\n"
      "A other: [:delete 2]\n"
      "A end: commit\n"
      "B: [:r 1]\n"
      "B: commit\n"
      "order look B end B\n"
      "order B other end\n"
      "expect postgres: 1 orders fail, orders 2 fail, order 2 step other fails, step look waits\n");
  CHECK(scenario.preparations.front().sql == "create index i on elapid_rows_0 (c_a)");
  CHECK(scenario.settings.front().session == 1);
  CHECK(scenario.steps[0].name == "look");
  CHECK(scenario.steps[0].text == "[:rp :true] [:insert 1 {:a 2}]");
  CHECK(scenario.ops_of(scenario.steps[0]).size() == 2);
  CHECK(scenario.step_text(0) == "look");
  CHECK(scenario.step_text(3) == "step 4");
  CHECK(scenario.orders == std::vector<std::vector<std::size_t>>{{0, 3, 2, 4}, {3, 1, 2}});
  REQUIRE(scenario.expectations.size() == 4);
  CHECK(std::get<ExpectFailures>(scenario.expectations[0].what).count == 1U);
  CHECK(std::get<ExpectFailures>(scenario.expectations[1].what).orders ==
        std::vector<std::size_t>{1});
  CHECK(std::get<ExpectStep>(scenario.expectations[2].what).order == 1);
  CHECK(std::get<ExpectStep>(scenario.expectations[2].what).step == 1);
  CHECK(std::get<ExpectStep>(scenario.expectations[3].what).step == 0);
}

TEST_CASE("What is expected, and where") {
  const Scenario scenario = read_well(
      "A: [:r :x]\nA: commit\n"
      "expect none\n"
      "expect postgres serializable, sqlite?journal=wal: G2-item, not serializable\n"
      "expect mariadb: step 2 fails deadlock, step 1 waits, snapshot-isolation ; so it is\n"
      "expect any serializable: all commit");
  const std::vector<Expectation>& all = scenario.expectations;
  REQUIRE(all.size() == 7);
  CHECK(all[0].places.empty());
  CHECK(std::holds_alternative<ExpectNothing>(all[0].what));
  REQUIRE(all[1].places.size() == 2);
  CHECK(all[1].places[0].database == "postgres");
  CHECK(all[1].places[0].level == "serializable");
  CHECK(all[1].places[1].parameters.front().second == "wal");
  CHECK(std::get<ExpectAnomaly>(all[1].what).type == AnomalyType::kG2Item);
  CHECK(all[2].text == "not serializable");
  CHECK_FALSE(std::get<ExpectLevel>(all[2].what).holds);
  CHECK(all[3].places.front().database == "mysql");
  CHECK(std::get<ExpectStep>(all[3].what).error == TxnError::kDeadlock);
  CHECK(std::get<ExpectStep>(all[4].what).fate == ExpectStep::Fate::kWaits);
  CHECK(std::get<ExpectLevel>(all[5].what).holds);
  CHECK(all[6].places.front().database.empty());
  CHECK(std::holds_alternative<ExpectCommits>(all[6].what));
}

TEST_CASE("What is no scenario is refused with its place") {
  CHECK(reader_error("") ==
        "f:0:1: expected at least one step as A: [:r :x], found the end of the line");
  CHECK(reader_error("\n  commit\n") ==
        "f:2:3: expected a step as A: commit, or about, start, table, index, prepare, set, order, "
        "orders or expect, found `commit`");
  CHECK(
      reader_error("A: commit") ==
      "f:1:4: expected an operation as [:r :x], or begin: no transaction is open, found `commit`");
  CHECK(reader_error("A one: [:r :x]\nB one: [:r :x]") ==
        "f:2:3: expected a name that no other step has, found `one: [:r :x]`");
  CHECK(reader_error("A one: [:r :x]\norder two") ==
        "f:2:7: expected the name of a step, or of a session that has a step left, found `two`");
  CHECK(reader_error("A one: [:r :x]\norder") ==
        "f:2:6: expected names of steps, found the end of the line");
  CHECK(reader_error("A one: [:r :x]\nA c: commit\norder c one")
            .starts_with("f:3:7: expected a step that begins the transaction before"));
  CHECK(reader_error("A: begin\nA c: commit\nA b: begin\norder A b")
            .starts_with("f:4:9: expected the end of the transaction before another"));
  CHECK(reader_error("A: begin\norder A\norders all")
            .starts_with("f:2:7: expected either orders all or single ones"));
  CHECK(reader_error("A: begin\nset postgres B: begin")
            .starts_with("f:2:14: expected a session that has steps, found `B: begin`"));
  CHECK(reader_error("A: begin\nprepare postgres A: x").starts_with("f:2:18: expected a colon"));
  CHECK(reader_error("A: begin\nset postgres").starts_with("f:2:5: expected DATABASE: SQL"));
  CHECK(reader_error("A: [:r :x").starts_with("f:1:"));
  CHECK(reader_error("A: [:r :x]\nA: [:w :x :one]") ==
        "f:2:4: expected [:r KEY] or [:w KEY NUMBER], or an operation on rows, found [:w :x :one]");
  CHECK(reader_error("A: [:append :x 1]\nA: [:w :x 2]") ==
        "f:2:4: expected [:r KEY] or [:append KEY NUMBER], found [:w :x 2]");
  CHECK(reader_error("A: [:w :x 1]\nB: [:w :x 1]") ==
        "f:2:4: expected a value that this key is given once, found `[:w :x 1]`");
  CHECK(reader_error("start [:r :x]\nA: [:w :x 1]") ==
        "f:1:7: expected a write or an append at the start, found `[:r :x]`");
  CHECK(reader_error("A: [:insert :a {:b 1}]").starts_with("f:1:4: expected a whole number"));
  CHECK(reader_error("A: [:insert 1 {:b \"c\"}]")
            .starts_with("f:1:4: expected whole numbers and nil"));
  CHECK(reader_error("A: [:rp [:in :a 1]]") ==
        "f:1:4: expected [:in COLUMN LOW HIGH] as a predicate, found [:in :a 1]");
  CHECK(reader_error("A: [:rp :true {1 {:a 1}}]")
            .starts_with("f:1:4: expected an operation without a result"));
  CHECK(reader_error("table 1 9\ntable 5 12").starts_with("f:2:7: expected keys that no other"));
  CHECK(reader_error("table 1 9\ntable 10 12\nA: [:rp :true]")
            .starts_with("f:3:4: expected a predicate with [:key FIRST LAST]"));
  CHECK(
      reader_error("table 1 9\nA: [:insert 12 {}]").starts_with("f:2:4: expected a whole number"));
  CHECK(reader_error("table 1 9\nA: [:r :x]").starts_with("f:2:1: expected operations on rows"));
  CHECK(reader_error("A: begin\norder A A").starts_with("f:2:9: expected a session that has"));
  CHECK(reader_error("A: begin\norder").starts_with("f:2:6: expected 1 names"));
  CHECK(reader_error("A: begin\norders some").starts_with("f:2:1: expected orders all"));
  CHECK(reader_error("A: begin\nexpect oracle: none") ==
        "f:2:8: expected a database, as postgres, or any, found `oracle: none`");
  CHECK(reader_error("A: begin\nexpect sqlite best: none").starts_with("f:2:15: expected a level"));
  CHECK(reader_error("A: begin\nexpect something").starts_with("f:2:8: expected none, an anomaly"));
  CHECK(reader_error("A: begin\nexpect step 2 waits")
            .starts_with("f:2:13: expected the number of a step, from 1 to 1"));
  CHECK(reader_error("A: begin\nexpect order 2 step 1 waits")
            .starts_with("f:2:14: expected the number of an order, from 1 to 1"));
  CHECK(reader_error("A: begin\nexpect order 1 fails").starts_with("f:2:16: expected step NUMBER"));
  CHECK(reader_error("A: begin\nexpect orders fail").starts_with("f:2:15: expected numbers of"));
  CHECK(reader_error("A: begin\nexpect orders 1 wait").starts_with("f:2:17: expected fail"));
  CHECK(reader_error("A: begin\nexpect 2 fail").starts_with("f:2:8: expected NUMBER orders fail"));
  CHECK(
      reader_error("A: begin\nexpect step 1 sleeps").starts_with("f:2:15: expected waits, fails"));
  CHECK(reader_error("A: begin\nexpect none or so").starts_with("f:2:13: expected the end"));
  CHECK(reader_error(": begin").starts_with("f:1:1: expected the name of a session"));
}

TEST_CASE("Numbers of orders and steps have bounds") {
  std::string steps;
  for (int i = 0; i < 12; ++i) {
    steps += "A: [:r :x]\nB: [:r :x]\n";
  }
  CHECK(reader_error(steps + "orders all").find("expected at most 10000 orders") !=
        std::string::npos);
  std::string many;
  for (std::size_t i = 0; i <= kMostScenarioSteps; ++i) {
    many += "A: [:r :x]\n";
  }
  CHECK(reader_error(many).starts_with("f:1001:1: expected at most 1000 steps"));
}

TEST_CASE("Every example is read") {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ELAPID_EXAMPLE_SCENARIOS)) {
    if (entry.path().extension() == ".scenario") {
      const Result<Scenario> scenario = read_scenario(entry.path().string());
      INFO((scenario ? entry.path().string() : scenario.error().to_string()));
      CHECK(scenario.ok());
      CHECK((!scenario || !scenario.value().about.empty()));
      ++count;
    }
  }
  CHECK(count >= 15);
  CHECK(read_scenario("/nowhere.scenario").error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
