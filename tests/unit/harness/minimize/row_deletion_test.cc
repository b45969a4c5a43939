#include "harness/minimize/row_deletion.h"

#include <catch2/catch.hpp>
#include <string>

#include "harness/minimize/deletion.h"
#include "harness/minimize/simpler_predicates.h"
#include "tests/oracle/random_rows.h"

namespace elapid {
namespace {

std::string text_of(const Draft& draft) {
  const Result<BuiltDraft> built = build(draft);
  REQUIRE(built.ok());
  return rows_text(built.value().history);
}

/// The same lines as for the history itself.
std::string same(std::string_view lines) {
  return rows_text(rows_history(lines));
}

constexpr std::string_view kPeople =
    R"(0: [:insert 1 {:age 15 :name 3}] [:insert 2 {:age 40 :name 4}]
1: [:update 1 {:age 16}]
2: [:rp [:in :age 10 19] {1 {:age 16 :name 3}}] [:r 2 {:name 4}]
)";

std::string left_of(Unit unit, std::size_t number, Orphans orphans = Orphans::kDropReads) {
  const History whole = rows_history(kPeople);
  const Draft draft = draft_of(whole);
  return text_of(Deleter(draft).without(unit, number, number + 1, orphans));
}

TEST_CASE("rows in a draft are built as they were") {
  const History whole = rows_history(R"(init {7 {:a 1}}
0: [:put 1 {:a 1}] [:up [:and [:mod :a 2 1] [:not [:present :b]]] {:b nil} #{1 7}]
1: [:rp :true [{:a 1} {:a 1}]] [:dp [:key 1 9] 2] [:rp [:or [:= :a 1] [:= :a 2]] {7 #v 3} {:first 1}]
2?: [:delete 7] [:r 7 nil] [:rp :true true]
)");
  CHECK(text_of(draft_of(whole)) == rows_text(whole));
}

TEST_CASE("a row that no transaction makes any more is in no result, and no operation changes it") {
  CHECK(
      left_of(Unit::kOp, 0, Orphans::kReadInitial) ==
      same("0: [:insert 2 {:age 40 :name 4}]\n1: \n2: [:rp [:in :age 10 19] {}] [:r 2 {:name 4}]"));
  CHECK(left_of(Unit::kOp, 0) ==
        same("0: [:insert 2 {:age 40 :name 4}]\n1: \n2: [:r 2 {:name 4}]"));
  CHECK(left_of(Unit::kTxn, 0, Orphans::kReadInitial) ==
        same("1: \n2: [:rp [:in :age 10 19] {}] [:r 2 nil]"));
}

TEST_CASE("contents that no transaction writes any more are shown by no operation") {
  CHECK(
      left_of(Unit::kTxn, 1) ==
      same("0: [:insert 1 {:age 15 :name 3}] [:insert 2 {:age 40 :name 4}]\n2: [:r 2 {:name 4}]"));
  CHECK(left_of(Unit::kTxn, 1, Orphans::kDropUncertain) ==
        same("0: [:insert 1 {:age 15 :name 3}] [:insert 2 {:age 40 :name 4}]\n"
             "2: [:rp [:in :age 10 19] {1 {:name 3}}] [:r 2 {:name 4}]"));
}

TEST_CASE("a row goes with all that is on it, and a column of which no predicate speaks") {
  CHECK(left_of(Unit::kKey, 1) ==
        same("0: [:insert 1 {:age 15 :name 3}]\n1: [:update 1 {:age 16}]\n"
             "2: [:rp [:in :age 10 19] {1 {:age 16 :name 3}}]"));
  CHECK(left_of(Unit::kColumn, 0) ==
        same("0: [:insert 1 {:age 15}] [:insert 2 {:age 40}]\n1: [:update 1 {:age 16}]\n"
             "2: [:rp [:in :age 10 19] {1 {:age 16}}] [:r 2 {}]"));
}

TEST_CASE("a row that is a single value keeps it") {
  const History whole = rows_history("0: [:w 1 5]\n1: [:rp :true {1 5}]");
  const Draft draft = draft_of(whole);
  CHECK(Deleter(draft).count(Unit::kColumn) == 0);
}

TEST_CASE("how many rows there were is not known once a write is gone") {
  const History whole =
      rows_history("0: [:insert 1 {:a 1}]\n1: [:rp :true 2] [:dp :true 2]\n2: [:insert 2 {:a 1}]");
  const Draft draft = draft_of(whole);
  const auto rest = [&](Orphans orphans) {
    return text_of(Deleter(draft).without(Unit::kTxn, 0, 1, orphans));
  };
  CHECK(rest(Orphans::kDropReads) == same("1: [:dp :true]\n2: [:insert 2 {:a 1}]"));
  CHECK(rest(Orphans::kDropUncertain) ==
        same("1: [:rp :true 2] [:dp :true 2]\n2: [:insert 2 {:a 1}]"));
}

/// What the predicate of the last operation can become.
std::vector<std::string> simpler(std::string_view lines) {
  const History whole = rows_history(lines);
  const Draft draft = draft_of(whole);
  std::vector<std::string> texts;
  for (const MakeRewritten& make : with_simpler_predicates(draft)) {
    texts.push_back(text_of(make()));
  }
  return texts;
}

TEST_CASE("a predicate loses what tells no row from another") {
  const std::string inserts = "0: [:insert 1 {:g 1 :v 5}] [:insert 2 {:g 1 :v 9}]\n";
  CHECK(simpler(inserts + "1: [:rp [:and [:= :g 1] [:in :v 4 6]] {1 {}}]") ==
        std::vector{same(inserts + "1: [:rp [:in :v 4 6] {1 {}}]")});
  CHECK(simpler(inserts + "1: [:rp [:and [:= :g 1] [:in :v 4 6]] {1 {}}]\n2: [:insert 3 {:v 5}]")
            .empty());
  CHECK(simpler(inserts + "1: [:rp [:and [:= :g 1] [:in :v 4 6]] {1 {}}]\n"
                          "2: [:up :true {:g 2}]")
            .empty());
  CHECK(simpler(inserts + "1: [:dp [:not [:or [:= :v 5] [:= :g 2]]]]") ==
        std::vector{same(inserts + "1: [:dp [:not [:= :v 5]]]")});
}

}  // namespace
}  // namespace elapid
