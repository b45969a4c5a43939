#include "engine/evidence/row_words.h"

#include <catch2/catch.hpp>
#include <string>

#include "adapter/elle/description_text.h"
#include "adapter/elle/explanation.h"
#include "engine/check/check.h"
#include "tests/oracle/random_rows.h"

namespace elapid {
namespace {

/// What is said of the cycles that refute serializability.
std::string explained(const std::string& text) {
  const History history = rows_history(text);
  Result<Verdict> verdict = check(history, {.models = {Model::kPl3}});
  REQUIRE(verdict.ok());
  REQUIRE(verdict.value().validity == Validity::kInvalid);
  return explanation(history, verdict.value(), {});
}

void says(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("a row that was missed is told by what its writer had made of it") {
  const std::string other = "\n2: [:rp [:in :a 1 9] {}] [:insert 2 {:a 5}]";
  const std::string missed = "1: [:rp [:in :a 1 9] {}] ";
  says(explained(missed + "[:insert 1 {:a 5}]" + other), "row 1, which T2 had inserted with :a 5.");
  says(explained("init {1 {:a 0}}\n" + missed + "[:update 1 {:a 5}]" + other),
       "row 1, to which T2 had given :a 5.");
}

TEST_CASE("all columns that matter are told at once") {
  says(explained("1: [:rp [:and [:= :a 1] [:= :b 2]] {}] [:insert 1 {:a 1 :b 2}]\n"
                 "2: [:rp [:and [:= :a 1] [:= :b 2]] {}] [:insert 2 {:a 1 :b 2}]"),
       "row 1, which T2 had inserted with :a 1 and :b 2.");
}

TEST_CASE("a row that was shown is told by who had deleted it") {
  says(explained("init {1 {:a 1} 2 {:a 1}}\n"
                 "1: [:rp [:= :a 1] {1 {:a 1} 2 {:a 1}}] [:delete 1]\n"
                 "2: [:rp [:= :a 1] {1 {:a 1} 2 {:a 1}}] [:delete 2]"),
       "was shown row 1, which T2 had deleted.");
}

TEST_CASE("a number of rows is told by the row that does not fit") {
  const std::string text = explained(
      "1: [:rp [:in :a 1 9] 0] [:insert 1 {:a 5}]\n"
      "2: [:rp [:in :a 1 9] false] [:insert 2 {:a 6}]");
  says(text, "found none, which does not fit row 1, which T");
  says(text, "found none, which does not fit row 2, which T");
}

TEST_CASE("a row that was read is told by what it held") {
  const std::string text = explained(
      "init {1 {:a 0 :b 0} 2 {:a 0 :b 0}}\n"
      "1: [:r 1 {:a 0 :b 0}] [:update 2 {:b 7}]\n2: [:r 2 {:a 0 :b 0}] [:update 1 {:a 6}]");
  says(text, "read row 1 with :a 0 and :b 0, to which T1 had given :a 6");
  says(explained("1: [:r 1 nil] [:insert 2 {:a 1}]\n2: [:r 2 nil] [:insert 1 {:a 1}]"),
       "read row 1 and did not find it, which T1 had inserted");
}

TEST_CASE("of many rows found those at issue are shown") {
  std::string found;
  for (int row = 1; row <= 9; ++row) {
    found += (row == 1 ? "" : " ") + std::to_string(row) + " {:a 1}";
  }
  const std::string read = ": [:rp [:= :a 1] {" + found + "}] [:update ";
  const std::string text =
      explained("init {" + found + "}\n1" + read + "7 {:a 2}]\n2" + read + "9 {:a 2}]");
  says(text, "[:rp [:= :a 1] {1 {:a 1} 2 {:a 1} … 7 {:a 1} …}] [:update 9 {:a 2}]");
  says(text, "[:rp [:= :a 1] {1 {:a 1} 2 {:a 1} … 9 {:a 1}}] [:update 7 {:a 2}]");
}

}  // namespace
}  // namespace elapid
