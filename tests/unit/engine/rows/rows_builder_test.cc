#include "engine/rows/rows_builder.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rows/parse.h"

namespace elapid::rows {
namespace {

/// Why one of these operations is refused, with its number; empty if none is.
std::string refused(const std::vector<std::string_view>& operations) {
  HistoryBuilder history;
  RowsBuilder rows(history);
  RowParser parser(history, rows);
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (const auto mop = parser.operation(operations[i], {.position = {.offset = i}}); !mop) {
      return std::to_string(mop.error().byte_offset.value_or(99)) + ": " + mop.error().message;
    }
  }
  return "";
}

TEST_CASE("recordings that contradict themselves are refused with their position") {
  CHECK(refused({"[:insert 1 {:a 1}]", "[:insert 2 {:a 1 :a 2}]"}) ==
        "1: column :a is given twice");
  CHECK(refused({"[:rp :true #{1 2 1}]"}) == "0: row 1 appears twice in the result");
  CHECK(refused({"[:rp :true {1 5 1 6}]"}) == "0: row 1 appears twice in the result");
  CHECK(refused({"[:rp :true [{:a 1} {:b 1}]]"}) ==
        "0: rows without keys must all show the same columns");
  CHECK(refused({"[:rp :true #{1 2} {:first 1}]"}) ==
        "0: more rows in the result than were asked for");
  CHECK(refused({"[:rp :true 2 {:first 1}]"}) == "0: more rows in the result than were asked for");
  CHECK(refused({"[:up :true {:a 1} {1 {:a 5}}]"}) ==
        "0: a result that this operation cannot have");
}

TEST_CASE("what depends on how a database compares texts is refused") {
  constexpr std::string_view kWhy = "ranges, remainders and limits need integers, but ";
  const std::string column = std::string(kWhy) + "this column also holds other values";
  const std::string key = std::string(kWhy) + "the key also holds other values";
  CHECK(refused({"[:rp [:in :a 1 5] {}]", "[:insert 1 {:a \"x\"}]"}) == "1: " + column);
  CHECK(refused({"[:insert 1 {:a \"x\"}]", "[:rp [:mod :a 2 1] {}]"}) == "1: " + column);
  CHECK(refused({"[:insert 1 {:a \"x\"}]", "[:rp [:mod :b 2 1] {}]"}) == "");
  CHECK(refused({"[:insert 1 {:a nil}]", "[:rp [:mod :a 2 1] {}]"}) == "");
  CHECK(refused({"[:insert :x {}]", "[:rp [:key 1 5] {}]"}) == "1: " + key);
  CHECK(refused({"[:rp :true {} {:first 5}]", "[:insert :x {}]"}) == "1: " + key);
}

TEST_CASE("what a database must not do is recorded all the same") {
  CHECK(refused({"[:insert 1 {:a 1}]", "[:insert 1 {:a 1}]", "[:update 2 {:a 1}]",
                 "[:rp [:in :a 1 5] {3 {:a 9}}]", "[:r 4 #v 77]"}) == "");
}

TEST_CASE("rows are told from the key that stands for all rows") {
  HistoryBuilder history;
  RowsBuilder rows(history);
  const Result<MopInput> read = rows.add({.kind = RowOpKind::kPredicateRead});
  REQUIRE(read.ok());
  const KeyId row = rows.row(ValueId::integer(1));
  CHECK(rows.row(ValueId::integer(1)) == row);
  const auto built = std::move(rows).build(false);
  CHECK(built->is_row(row));
  CHECK(built->key(row) == ValueId::integer(1));
  CHECK_FALSE(built->is_row(read.value().key));
  CHECK_FALSE(built->is_row(KeyId::none()));
  CHECK_FALSE(built->is_closed());
}

}  // namespace
}  // namespace elapid::rows
