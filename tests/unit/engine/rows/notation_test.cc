#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "engine/rows/parse.h"
#include "engine/rows/text.h"

namespace elapid::rows {
namespace {

/// What a transaction of this one operation is printed as, or why it is refused.
std::string reprinted(std::string_view text) {
  HistoryBuilder history;
  RowsBuilder rows(history);
  const Result<MopInput> mop = RowParser(history, rows).operation(text, {});
  if (!mop) {
    return mop.error().message;
  }
  REQUIRE(history.add_transaction({.mops = {&mop.value(), 1}}).ok());
  const Result<History> built =
      std::move(history).build({.workload = Workload::kRows, .rows = std::move(rows).build(true)});
  REQUIRE(built.ok());
  return rows::text(built.value(), built.value().all_ops().front());
}

TEST_CASE("operations on rows are printed as they were read") {
  constexpr std::array kTexts = {
      "[:insert 7 {:age 15 :name \"Ida\"}]",
      "[:insert 7 {}]",
      "[:insert 7 15]",
      "[:w 7 15]",
      "[:update 7 {:age nil}]",
      "[:put 7 {:age 1} #v 12]",
      "[:delete 7]",
      "[:delete 7 #v 5]",
      "[:r 7 {:age 16}]",
      "[:r 7 {}]",
      "[:r 7 nil]",
      "[:r 7 #v 5]",
      "[:r 7 #v nil]",
      "[:rp :true nil]",
      "[:rp :true {7 16 :x 3}]",
      "[:rp [:= 3] {7 3}]",
      "[:rp [:mod 2 1] {}]",
      "[:rp [:in :age 13 19] {7 {:age 16} 8 {:age 13 :name nil}}]",
      "[:rp [:key 1 9] {7 #v 5 8 #v nil}]",
      "[:rp [:= :name \"Ida\"] #{7 8}]",
      "[:rp [:not [:present :age]] [{:age nil} {:age nil}]]",
      "[:rp [:and [:mod :age 2 0] [:or [:= :age 4] [:not :true]]] 2]",
      "[:rp :true false]",
      "[:rp :true #{1 2} {:first 3}]",
      "[:up [:in :age 13 19] {:age 20} #{7}]",
      "[:up :true 20 3 #v 8]",
      "[:dp :true #{7}]",
      "[:dp [:= 1]]",
  };
  for (const std::string_view text : kTexts) {
    CHECK(reprinted(text) == text);
  }
}

TEST_CASE("other spellings of operations on rows") {
  CHECK(reprinted("[:write 7 15]") == "[:w 7 15]");
  CHECK(reprinted("[:read 7 15]") == "[:r 7 15]");
  CHECK(reprinted("[:delete 7 nil]") == "[:delete 7]");
  CHECK(reprinted("[:rp :true true]") == "[:rp :true true]");
}

TEST_CASE("what is no operation on rows is refused") {
  constexpr std::array kCases = {
      std::pair("7", "expected an operation on rows such as [:rp :true nil], found 7"),
      std::pair("[]", "expected an operation on rows such as [:rp :true nil], found []"),
      std::pair("[:append 1 2]",
                "expected an operation on rows such as [:rp :true nil], found [:append 1 2]"),
      std::pair("[:insert 7]", "expected an operation of 3 parts, found [:insert 7]"),
      std::pair("[:rp]", "expected an operation of 2 or 3 parts, found [:rp]"),
      std::pair("[:rp :false {}]",
                "expected a predicate such as :true or [:= :age 15], found "
                ":false"),
      std::pair("[:rp [:in :age 1] {}]",
                "expected [:in COLUMN LOW HIGH] as a predicate, found [:in :age 1]"),
      std::pair("[:rp [:mod :age 2 2] {}]",
                "expected a remainder from 0 to below a divisor, found 2 by 2"),
      std::pair("[:rp [:mod :age 0 0] {}]",
                "expected a remainder from 0 to below a divisor, found 0 by 0"),
      std::pair("[:rp [:not] {}]",
                "expected a predicate such as :true or [:= :age 15], found [:not]"),
      std::pair("[:rp :true -1]", "expected how many rows matched, found -1"),
      std::pair("[:rp :true maybe]",
                "expected a result: the matching rows, their number, or whether there are any, "
                "found maybe"),
      std::pair("[:rp :true {} {:last 3}]",
                "expected {:first NUMBER} after a result, found {:last 3}"),
      std::pair("[:rp :true {7 #v 2 8 {:age 15}}]",
                "expected a version such as #v 3, found {:age 15}"),
      std::pair("[:rp :true {7 {:age 15} 8 #v 3}]",
                "expected columns, as of the rows before it, found #v 3"),
      std::pair("[:insert 7 {age 1}]", "expected a name of a column, found age"),
  };
  for (const auto& [text, message] : kCases) {
    CHECK(reprinted(text) == message);
  }
}

TEST_CASE("predicates nested too deeply are refused") {
  std::string text = ":true";
  for (int depth = 0; depth < 100; ++depth) {
    text = "[:not " + text + "]";
  }
  CHECK(reprinted("[:rp " + text + " nil]")
            .starts_with("expected a predicate with fewer levels of nesting"));
}

}  // namespace
}  // namespace elapid::rows
