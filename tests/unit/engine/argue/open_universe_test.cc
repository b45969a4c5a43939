// Rows that may have been there before the first transaction.
#include <catch2/catch.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/argue/argue.h"
#include "engine/argue/first_contents.h"
#include "engine/certify/rows/rows_proof.h"
#include "engine/check/check.h"
#include "tests/oracle/random_rows.h"

namespace elapid {
namespace {

/// The verdict, with evidence that survived certification.
Validity decided(const History& history, Model model) {
  const Result<Verdict> verdict = check(history, {.models = {model}});
  REQUIRE(verdict.ok());
  INFO(verdict.value().unknown_because.value_or(""));
  CHECK(verdict.value().validity != Validity::kUnknown);
  return verdict.value().validity;
}

bool holds(const std::string& lines, Model model = Model::kPl3) {
  CAPTURE(lines);
  return decided(rows_history(lines), model) == Validity::kValid;
}

TEST_CASE("only in an open universe an unwritten value was there before") {
  const std::string read = "0: [:r 7 {:a 15}]\n1: [:rp [:in :a 10 20] {7 {:a 15}}]";
  for (const Model model : {Model::kPl3, Model::kPlSi, Model::kPl299, Model::kPl2}) {
    CHECK(holds("open\n" + read, model));
    CHECK_FALSE(holds(read, model));
  }
}

TEST_CASE("what was there before is the same for all") {
  for (const Model model : {Model::kPl3, Model::kPlSi, Model::kPl299, Model::kPl2}) {
    CHECK_FALSE(holds("open\n0: [:r 7 {:a 1}]\n1: [:r 7 {:a 2}]", model));
    CHECK_FALSE(holds("open\n0: [:r 7 {:a 1}]\n1: [:rp [:in :a 0 3] #{}]", model));
    CHECK(holds("open\n0: [:r 7 {:a 1}]\n1: [:rp [:in :a 2 3] #{}]", model));
  }
}

TEST_CASE("what was deleted is gone, whatever was there before") {
  // Of six rows that may have been there nothing has to be told.
  const std::string before =
      "open\n0: [:r 0 {:a 1}] [:update 1 {:a 2}]\n1: [:r 1 nil] [:rp [:not [:= :a 1]] #{}]\n"
      "2: [:update 0 {:a 1}] [:rp [:key 1 2] #{1}]\n3: [:put 0 {}] [:insert 4 {:a 1}]\n4: ";
  for (const Model model : {Model::kPl3, Model::kPlSi}) {
    const History history =
        rows_history(before + "[:dp [:or [:present :a] :true]] [:up [:present :a] {:a 0} 3]");
    const ArgueResult result =
        argue_rows(history, {.level = order_level(model).value(), .work = 10'000});
    CHECK(result.validity == Validity::kInvalid);
    CHECK(result.proof.size() <= 2);
    CHECK_FALSE(holds("open\n0: [:dp :true] [:rp :true 1]", model));
    CHECK_FALSE(holds("open\n0: [:delete 7] [:r 7 {:a 1}]", model));
    CHECK(holds("open\n0: [:dp [:= :a 1]] [:rp :true 1]", model));
    CHECK(holds("open\n0: [:dp :true] [:rp :true 0]", model));
  }
  // There a predicate may delete rows as they were before.
  const std::string past = "0: [:insert 7 {:a 1}]\n1: [:dp :true] [:rp :true #{7}]";
  CHECK_FALSE(holds(past));
  CHECK_FALSE(holds(past, Model::kPlSi));
}

TEST_CASE("one content must fit all predicates") {
  const std::string without = "open\n0: [:rp [:= :a 1] {}]\n1: [:rp [:= :a 2] {}]\n2: ";
  CHECK_FALSE(holds(without + "[:rp [:in :a 1 2] #{7}]"));
  CHECK(holds(without + "[:rp [:in :a 1 3] #{7}]"));
  CHECK(holds(without + "[:rp [:in :a 1 2] {}]"));
  CHECK_FALSE(holds("open\n0: [:rp [:mod :a 4 1] #{7}]\n1: [:rp [:mod :a 2 0] #{7}]"));
  CHECK(holds("open\n0: [:rp [:mod :a 4 1] #{7}]\n1: [:rp [:mod :a 6 3] #{7}]"));
  // Neither true nor false of what is null, or no number.
  CHECK(
      holds("open\n0: [:rp [:in :a 1 2] {}]\n1: [:rp [:not [:in :a 1 2]] {}]\n"
            "2: [:rp [:present :a] #{7}]"));
  CHECK_FALSE(
      holds("open\n0: [:rp [:= :a 1] {}]\n1: [:rp [:not [:= :a 1]] {}]\n"
            "2: [:rp [:present :a] #{7}]"));
}

TEST_CASE("an insert tells that the row was not there, an update that it was") {
  CHECK_FALSE(holds("open\n0: [:insert 7 {:a 1}]\n1: [:update 7 {:a 2}]\n2: [:r 7 {:a 3}]"));
  CHECK(holds("open\n0: [:update 7 {:a 2}]\n1: [:r 7 {:a 3}]"));
  CHECK_FALSE(holds("open\n0: [:insert 7 {:a 1}] [:r 7 {:b 5}]\n1: [:r 7 {:a 1}]"));
  CHECK(holds("open\n0: [:put 7 {:a 1}] [:r 7 {:b 5}]\n1: [:r 7 {:a 1}]"));
}

TEST_CASE("counts may be of rows that nothing else tells of") {
  for (const Model model : {Model::kPl3, Model::kPlSi}) {
    CHECK(holds("open\n0: [:rp [:in :a 1 9] 3]", model));
    CHECK_FALSE(holds("0: [:rp [:in :a 1 9] 3]", model));
    CHECK_FALSE(holds("open\n0: [:rp :true 3]\n1: [:rp :true 2]", model));
    CHECK(holds("open\n0: [:rp :true 3]\n1: [:rp [:in :a 1 9] 2]\n2: [:rp [:in :a 3 4] 1]", model));
    CHECK_FALSE(holds("open\n0: [:rp :true 1]\n1: [:rp [:= :a 1] 1]\n2: [:rp [:= :a 2] 1]", model));
    // There are two keys.
    CHECK(holds("open\n0: [:rp [:key 1 2] 2]", model));
    CHECK_FALSE(holds("open\n0: [:rp [:key 1 2] 3]", model));
  }
}

TEST_CASE("a proof about what was there before names all that may have been") {
  const History history = rows_history(
      "open\n0: [:rp [:= :a 1] {}]\n1: [:rp [:= :a 2] {}]\n2: [:rp [:in :a 1 2] #{7}]");
  ArgueResult result = argue_rows(history, {.level = order_level(Model::kPl3).value()});
  REQUIRE(result.validity == Validity::kInvalid);
  RowsProofEvidence proof = {.model = Model::kPl3, .steps = std::move(result.proof)};
  const auto flaw = [&] { return check_rows_proof(history, AnomalyType::kPl3CycleExists, proof); };
  CHECK(flaw() == std::nullopt);
  std::size_t damaged = 0;
  for (RowsProofStep& step : proof.steps) {
    const RowsProofStep whole = step;
    for (std::size_t i = 0; i < whole.clause.size(); ++i) {
      step.clause.erase(step.clause.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK(flaw().has_value());
      step = whole;
      step.clause[i].holds = !step.clause[i].holds;
      CHECK(flaw().has_value());
      step = whole;
      ++damaged;
    }
  }
  CHECK(damaged > 3);
}

TEST_CASE("a phantom is one in an open universe, too") {
  const std::string lines =
      "open\n0: [:rp [:in :a 1 9] {}] [:insert 1 {:a 5}]\n"
      "1: [:rp [:in :a 1 9] {}] [:insert 2 {:a 5}]";
  CHECK(holds(lines, Model::kPlSi));
  CHECK(holds(lines, Model::kPl299));
  const Result<Verdict> verdict = check(rows_history(lines), {.models = {Model::kPl3}});
  REQUIRE(verdict.ok());
  REQUIRE(verdict.value().anomalies.size() == 1);
  CHECK(verdict.value().anomalies.front().type == AnomalyType::kG2);
}

TEST_CASE("values that the history tells apart") {
  const History history = rows_history("open\n0: [:rp [:in :a 10 20] {7 {:a 15}}]");
  const argue::FirstContents contents(history);
  REQUIRE(contents.is_whole());
  // Nothing, 15, another one from 10 to 20, an integer beyond, and no integer.
  CHECK(contents.values(rows::ColumnId{0}).size() == 5);
  CHECK(contents.values(rows::ColumnId{0}).front().is_none());
}

TEST_CASE("what cannot be listed is not refuted") {
  // More rows than have keys in an open universe.
  const History many = rows_history("open\n0: [:rp :true 100]\n1: [:rp :true 99]");
  const ArgueResult result = argue_rows(many, {.level = {.visibility = Visibility::kSerial}});
  CHECK(result.validity == Validity::kUnknown);
}

}  // namespace
}  // namespace elapid
