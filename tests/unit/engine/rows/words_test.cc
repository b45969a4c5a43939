#include "engine/rows/words.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "engine/rows/parse.h"
#include "engine/rows/text.h"

namespace elapid::rows {
namespace {

/// A transaction of this one operation.
History history_of(const std::string& operation) {
  HistoryBuilder history;
  RowsBuilder rows(history);
  const Result<MopInput> mop = RowParser(history, rows).operation(operation, {});
  REQUIRE(mop.ok());
  REQUIRE(history.add_transaction({.mops = {&mop.value(), 1}}).ok());
  Result<History> built =
      std::move(history).build({.workload = Workload::kRows, .rows = std::move(rows).build(true)});
  REQUIRE(built.ok());
  return std::move(built).value();
}

std::string condition(const std::string& predicate) {
  const History history = history_of("[:rp " + predicate + " nil]");
  const Rows& rows = *history.info().rows;
  return condition_words(history, rows.predicate(rows.op(history.all_ops().front())));
}

TEST_CASE("conditions are put as one would say them") {
  CHECK(condition(":true") == "any columns");
  CHECK(condition("[:= :name \"Ida\"]") == ":name = \"Ida\"");
  CHECK(condition("[:= 3]") == "its value = 3");
  CHECK(condition("[:in :age 13 19]") == "13 <= :age <= 19");
  CHECK(condition("[:mod :age 4 1]") == ":age mod 4 = 1");
  CHECK(condition("[:key 1 9]") == "1 <= key <= 9");
  CHECK(condition("[:present :age]") == "a :age");
  CHECK(condition("[:and [:= :room 5] [:in :hour 10 12]]") == ":room = 5 and 10 <= :hour <= 12");
  CHECK(condition("[:and [:or [:= :a 1] [:= :a 2]] [:not [:= :b 3]]]") ==
        "(:a = 1 or :a = 2) and not (:b = 3)");
  CHECK(condition("[:or [:and [:= :a 1]] [:and]]") == ":a = 1 or any columns");
  CHECK(condition("[:or]") == "what no row has");
}

TEST_CASE("operations are put as one would say them") {
  constexpr std::array kCases = {
      std::pair("[:insert 7 {:age 15 :name \"Ida\"}]", "insert row 7 {:age 15 :name \"Ida\"}"),
      std::pair("[:w 7 15]", "write row 7 = 15"),
      std::pair("[:update 7 {:age nil}]", "update row 7 to {:age nil}"),
      std::pair("[:put 7 {:age 1} #v 12]", "put row 7 {:age 1} as version 12"),
      std::pair("[:delete 7]", "delete row 7"),
      std::pair("[:r 7 {:age 16}]", "read row 7 = {:age 16}"),
      std::pair("[:r 7 nil]", "read row 7: not there"),
      std::pair("[:r 7 {}]", "read row 7 = {}"),
      std::pair("[:r 7 #v 5]", "read row 7 = #v 5"),
      std::pair("[:rp :true nil]", "read all rows"),
      std::pair("[:rp :true {}]", "read all rows: none"),
      std::pair("[:rp [:= 3] {7 3}]", "read rows with its value = 3: 7 3"),
      std::pair("[:rp [:in :age 13 19] {7 {:age 16} 8 {:age 13}}]",
                "read rows with 13 <= :age <= 19: 7 {:age 16}, 8 {:age 13}"),
      std::pair("[:rp [:= :name \"Ida\"] #{7 8}]", "read rows with :name = \"Ida\": 7, 8"),
      std::pair("[:rp :true [{:age 1} {:age 2}]]", "read all rows: {:age 1}, {:age 2}"),
      std::pair("[:rp :true 2]", "read all rows: 2 rows"),
      std::pair("[:rp :true 1]", "read all rows: 1 row"),
      std::pair("[:rp :true 0]", "read all rows: none"),
      std::pair("[:rp :true true]", "read all rows: some"),
      std::pair("[:rp :true #{1 2} {:first 3}]", "read the first 3 rows: 1, 2"),
      std::pair("[:up [:in :age 13 19] {:age 20} #{7}]",
                "update rows with 13 <= :age <= 19 to {:age 20}: 7"),
      std::pair("[:up :true 20 3 #v 8]", "update all rows to 20: 3 rows as version 8"),
      std::pair("[:dp [:= 1]]", "delete rows with its value = 1"),
  };
  for (const auto& [operation, words] : kCases) {
    const History history = history_of(operation);
    CHECK(elided_words(history, history.all_ops().front(), {}) == words);
  }
}

TEST_CASE("of many rows found words name the first ones and those at issue") {
  std::string found;
  for (int row = 1; row < 20; ++row) {
    found += std::to_string(row) + " {:a 1} ";
  }
  const History history = history_of("[:rp [:= :a 1] {" + found + "}]");
  const Op read = history.all_ops().front();
  const ValueId at_issue = history.values().find("9");
  CHECK(elided_words(history, read, {&at_issue, 1}) ==
        "read rows with :a = 1: 1 {:a 1}, 2 {:a 1}, …, 9 {:a 1}, …");
  CHECK(elided_text(history, read, {&at_issue, 1}) ==
        "[:rp [:= :a 1] {1 {:a 1} 2 {:a 1} … 9 {:a 1} …}]");
}

}  // namespace
}  // namespace elapid::rows
