// Operations on rows in JSON: what they mean, what is wrong with them, and that they are written as
// they are read.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/call.h"
#include "engine/rows/parse.h"
#include "engine/rows/text.h"
#include "parsers/elle_json/json_format.h"
#include "parsers/elle_json/row_op_json.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

Result<History> read_rows(const std::string& operation) {
  const auto source =
      memory_source("h.jsonl", R"({"type":"ok","process":0,"value":[)" + operation + "]}");
  return read_json_history(*source, {.workload = Workload::kRows}, kJsonlFormat);
}

/// Operations as EDN; the error of what is malformed.
std::string in_edn(const std::string& operations) {
  const auto history = read_rows(operations);
  if (!history) {
    return history.error().to_string();
  }
  std::string all;
  for (const Op op : history.value().all_ops()) {
    all += (all.empty() ? "" : " ") + rows::text(history.value(), op);
  }
  return all;
}

/// As they are written again.
std::string again(const std::string& operations) {
  const auto history = read_rows(operations);
  REQUIRE(history);
  RowOpJson json(history.value());
  std::string all;
  for (const Op op : history.value().all_ops()) {
    all += all.empty() ? "" : ", ";
    all += json.text({.kind = op.kind(), .key = op.key(), .value = op.value()});
  }
  CHECK_FALSE(json.merged());
  return all;
}

const std::vector<std::pair<std::string, std::string>> kOperations = {
    {R"(["insert", 7, {"age": 15}])", "[:insert 7 {:age 15}]"},
    {R"(["insert", "Ida", {"age": null, "a b": [1]}])", R"([:insert "Ida" {:age nil "a b" [1]}])"},
    {R"(["update", 7, {}])", "[:update 7 {}]"},
    {R"(["put", 7, {"14": 1, "-3": 2}, {"version": 3}])", "[:put 7 {14 1 -3 2} #v 3]"},
    {R"(["delete", 7])", "[:delete 7]"},
    {R"(["delete", 7, {"version": "x"}])", R"([:delete 7 #v "x"])"},
    {R"(["r", 7, {"age": 15}])", "[:r 7 {:age 15}]"},
    {R"(["r", 7, null])", "[:r 7 nil]"},
    {R"(["rv", 7, 3])", "[:r 7 #v 3]"},
    {R"(["rv", 7, null])", "[:r 7 #v nil]"},
    {R"(["rp", true, null])", "[:rp :true nil]"},
    {R"(["rp", ["=", "age", "x"], {"rows": []}])", R"([:rp [:= :age "x"] {}])"},
    {R"(["rp", ["in", "age", -1, 9], {"rows": [[7, {"age": 3}], [8, {}]]}])",
     "[:rp [:in :age -1 9] {7 {:age 3} 8 {}}]"},
    {R"(["rp", ["mod", "age", 2, 1], {"keys": [7, 8], "first": 5}])",
     "[:rp [:mod :age 2 1] #{7 8} {:first 5}]"},
    {R"(["rp", ["key", 1, 9], {"bag": [{"age": 3}, {"age": 3}]}])",
     "[:rp [:key 1 9] [{:age 3} {:age 3}]]"},
    {R"(["rp", ["not", ["present", "age"]], {"count": 0}])", "[:rp [:not [:present :age]] 0]"},
    {R"(["rp", ["and", ["or"], true, ["=", "age", null]], {"any": false}])",
     "[:rp [:and [:or] :true [:= :age nil]] false]"},
    {R"(["rp", true, {"versions": [[7, 3], [8, null]]}])", "[:rp :true {7 #v 3 8 #v nil}]"},
    {R"(["up", true, {"age": 3}, null, {"version": 4}])", "[:up :true {:age 3} #v 4]"},
    {R"(["up", true, {"age": 3}, {"count": 2}])", "[:up :true {:age 3} 2]"},
    {R"(["dp", ["key", 7, 7], {"keys": [7]}])", "[:dp [:key 7 7] #{7}]"},
};

TEST_CASE("operations on rows mean in JSON what they mean in EDN, and are written as they are") {
  for (const auto& [json, edn] : kOperations) {
    CHECK(in_edn(json) == edn);
    CHECK(again(json) == json);
  }
}

TEST_CASE("rows that are single values have columns without names") {
  CHECK(
      in_edn(
          R"(["w", 7, 15], ["rp", ["=", 15], {"rows": [[7, 15]]}], ["rp", ["in", 1, 2], null])") ==
      "[:w 7 15] [:rp [:= 15] {7 15}] [:rp [:in 1 2] nil]");
  CHECK(
      again(R"(["put", 7, 15], ["rp", ["mod", 2, 1], {"bag": [15]}], ["rp", ["present"], null])") ==
      R"(["put", 7, 15], ["rp", ["mod", 2, 1], {"bag": [15]}], ["rp", ["present"], null])");
}

TEST_CASE("what an operation on rows leaves out is not known") {
  CHECK(in_edn(R"(["rp", true], ["r", 7], ["up", true, {"a": 1}], ["dp", true])") ==
        "[:rp :true nil] [:r 7 nil] [:up :true {:a 1}] [:dp :true]");
}

TEST_CASE("an operation on rows that is malformed is told with its place") {
  // The operation begins in column 35.
  for (
      const auto& [json, error] : std::vector<std::pair<std::string, std::string>>{
          {R"(["upsert", 7, 1])",
           R"(36: expected an operation on rows such as ["insert", 7, {"age": 15}], found `"upsert"`)"},
          {R"(7)",
           R"(35: expected an operation on rows such as ["insert", 7, {"age": 15}], found `7`)"},
          {R"(["insert", 7])",
           R"(35: expected an operation such as ["insert", 7, {"age": 15}], found an array)"},
          {R"(["insert", 7, {}, {"version": 1}, 3])",
           R"(35: expected an operation such as ["insert", 7, {"age": 15}], found an array)"},
          {R"(["insert", 7, {}, 3])",
           R"(53: expected {"version": NAME} at the end of an operation, found `3`)"},
          {R"(["rp", false])",
           R"(42: expected a predicate, true or such as ["=", "age", 15], found false)"},
          {R"(["rp", ["~", "age", "x"]])",
           R"(43: expected "=", "in", "mod", "key", "present", "and", "or" or "not" as a predicate, found `"~"`)"},
          {R"(["rp", ["in", "age", 1, 2.5]])",
           R"(59: expected an integer of 64 bits in a predicate such as ["in", "age", 13, 19], found `2.5`)"},
          {R"(["rp", ["in", "age", 1]])",
           R"(49: expected an integer of 64 bits in a predicate such as ["in", "age", 13, 19], found `"age"`)"},
          {R"(["rp", ["in", 3, 1, 2]])",
           R"(49: expected the name of a column in a predicate such as ["in", "age", 13, 19], found `3`)"},
          {R"(["rp", ["not", true, true]])",
           R"(42: expected one predicate behind "not", found an array)"},
          {R"(["rp", true, [7]])",
           R"(48: expected a result: null, or an object with one of "rows", "versions", "keys", "bag", "count" and "any", found an array)"},
          {R"(["rp", true, {"first": 3}])",
           R"(48: expected a result: null, or an object with one of "rows", "versions", "keys", "bag", "count" and "any", found an object)"},
          {R"(["rp", true, {"matched": [7]}])",
           R"(49: expected "rows", "versions", "keys", "bag", "count" or "any" in a result, found `"matched"`)"},
          {R"(["rp", true, {"rows": [7]}])", R"(58: expected [KEY, COLUMNS] in "rows", found `7`)"},
          {R"(["rp", true, {"count": -1}])",
           R"(58: expected how many rows matched as "count", found `-1`)"},
          {R"(["rp", true, {"keys": [1], "first": 0}])",
           R"(71: expected how many rows were asked for as "first", found `0`)"},
          {R"(["dp", true, {"keys": [1], "first": 1}])",
           R"(62: expected "first" in results of "rp" alone, found `"first"`)"},
          {R"(["rp", true, {"keys": [7, 7]}])", "35: row 7 appears twice in the result"},
          {R"(["insert", 7, {"a": 1, "a": 2}])", "35: column :a is given twice"},
          {R"(["rp", ["mod", "age", 2, 2], null])",
           "35: expected a remainder from 0 to below a divisor, found 2 by 2"},
          {R"(["dp", true, {"bag": []}])", "35: a result that this operation cannot have"},
          {R"(["insert", 7, {"a": "x"}], ["rp", ["in", "a", 1, 2], null])",
           "62: ranges, remainders and limits need integers, but this column also holds other "
           "values"},
      }) {
    CHECK(in_edn(json) == "h.jsonl:1:" + error);
  }
}

TEST_CASE("JSON predicates nested too deeply are refused") {
  std::string deep = "true";
  for (int i = 0; i < 40; ++i) {
    deep = R"(["not", )" + deep + "]";
  }
  CHECK(in_edn(R"(["rp", )" + deep + "]").find("fewer levels of nesting") != std::string::npos);
}

TEST_CASE("what would be one in JSON is told") {
  for (const char* text : {"[:insert :a {:x 1}] [:delete \"a\"]", "[:insert 1 {:x 1 \"x\" 2}]",
                           "[:insert 1 {:x :y}] [:insert 2 {:x \"y\"}]"}) {
    HistoryBuilder builder;
    rows::RowsBuilder rows(builder);
    rows::RowParser parser(builder, rows);
    std::vector<MopInput> mops;
    const std::string all = '[' + std::string(text) + ']';
    const auto operations = elements_of(all);
    for (const std::string_view operation : *operations) {
      mops.push_back(parser.operation(operation, {}).value());
    }
    REQUIRE(builder.add_transaction({.mops = mops}).ok());
    const auto history = std::move(builder).build(
        {.workload = Workload::kRows, .rows = std::move(rows).build(true)});
    REQUIRE(history);
    RowOpJson json(history.value());
    for (const Op op : history.value().all_ops()) {
      static_cast<void>(json.text({.kind = op.kind(), .key = op.key(), .value = op.value()}));
    }
    CHECK(json.merged());
  }
}

}  // namespace
}  // namespace elapid
