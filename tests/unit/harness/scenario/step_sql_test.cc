#include "harness/scenario/step_sql.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "harness/scenario/scenario_reader.h"

namespace elapid {
namespace {

constexpr SqlSpelling kTestSpelling = {
    .text_type = "text",
    .json_type = "text",
    .table_options = " engine = own",
    .on_conflict = " on conflict (k) do update set",
    .new_value = "excluded.v",
    .append_text = [](const std::string& old,
                      const std::string& added) { return old + " || ',' || " + added; },
    .has_returning = true,
};

std::vector<std::string> sql_of_steps(const std::string& text) {
  const Result<Scenario> scenario = parse_scenario("some.scenario", text);
  REQUIRE(scenario.ok());
  const StepSql sql(scenario.value(), kTestSpelling);
  std::vector<std::string> texts;
  for (const ScenarioStep& step : scenario.value().steps) {
    for (const Op op : scenario.value().ops_of(step)) {
      texts.push_back(sql.operation(op));
    }
  }
  return texts;
}

TEST_CASE("Registers and lists are rows of a table with the keys in their order") {
  CHECK(sql_of_steps("A: [:r :x]\nA: [:w :y 5]") ==
        std::vector<std::string>{"select v from elapid_keys where k = 0",
                                 "update elapid_keys set v = 5 where k = 1"});
  CHECK(sql_of_steps("A: [:append :x 5]") ==
        std::vector<std::string>{"update elapid_keys set v = v || ',' || '5' where k = 0"});
}

TEST_CASE("Operations on rows") {
  CHECK(
      sql_of_steps("A: [:insert 1 {:a 2, :b nil}]\nA: [:update 1 {:a 3}]\nA: [:delete 1]\n"
                   "A: [:put 1 {:a 4}]\nA: [:r 1]\nA: [:rp :true]\n"
                   "A: [:up [:= :a 1] {:a 2}]\nA: [:dp [:in :a 1 2]]") ==
      std::vector<std::string>{
          "insert into elapid_rows_0 (k, c_a, c_b) values (1, 2, null)",
          "update elapid_rows_0 set c_a = 3 where k = 1", "delete from elapid_rows_0 where k = 1",
          "insert into elapid_rows_0 (k, c_a) values (1, 4) on conflict (k) do update set c_a = 4",
          "select k, c_a, c_b from elapid_rows_0 where k = 1 order by k",
          "select k, c_a, c_b from elapid_rows_0 order by k",
          "update elapid_rows_0 set c_a = 2 where c_a = 1 returning k",
          "delete from elapid_rows_0 where c_a between 1 and 2 returning k"});
}

TEST_CASE("Predicates, and the table that they are about") {
  CHECK(sql_of_steps("table 1 9\ntable 10 19\n"
                     "A: [:rp [:key 10 19]]\nA: [:rp [:and [:key 1 5] [:not [:or [:mod :a 3 1] "
                     "[:present :a]]]]]") ==
        std::vector<std::string>{
            "select k, c_a from elapid_rows_1 order by k",
            "select k, c_a from elapid_rows_0 where k between 1 and 5 and not ((((c_a % 3) + 3) % "
            "3 = 1) or (c_a is not null)) order by k"});
}

TEST_CASE("Tables are made with indexes and filled anew") {
  const Result<Scenario> scenario =
      parse_scenario("f", "index :a\nstart [:insert 1 {:a 2}]\nA: [:insert 3 {:a 4, :B 5}]");
  REQUIRE(scenario.ok());
  const StepSql sql(scenario.value(), kTestSpelling);
  CHECK(sql.creation() ==
        std::vector<std::string>{
            "drop table if exists elapid_rows_0",
            "create table elapid_rows_0 (k bigint not null primary key, c_a bigint, c1 bigint)"
            " engine = own",
            "create index elapid_rows_0_c_a on elapid_rows_0 (c_a)"});
  CHECK(sql.filling() ==
        std::vector<std::string>{"delete from elapid_rows_0",
                                 "insert into elapid_rows_0 (k, c_a) values (1, 2)"});
}

}  // namespace
}  // namespace elapid
