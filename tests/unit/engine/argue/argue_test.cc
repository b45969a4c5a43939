#include "engine/argue/argue.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/certify/rows/rows_proof.h"
#include "tests/oracle/random_rows.h"

namespace elapid {
namespace {

using Reason = RowsProofStep::Reason;

RowsProofEvidence proof_against(Model model, const History& history) {
  ArgueResult result = argue_rows(history, {.level = order_level(model).value()});
  REQUIRE(result.validity == Validity::kInvalid);
  return {.model = model, .steps = std::move(result.proof)};
}

std::optional<std::string> flaw_of(const History& history, const RowsProofEvidence& proof) {
  return check_rows_proof(history, AnomalyType::kPl3CycleExists, proof);
}

/// Two transactions that each miss the insert of the other, a delete of unrecorded rows, and a
/// transaction that finds all rows.
constexpr std::string_view kSkewBesideDelete =
    "0: [:rp :true {}] [:insert 1 {:a 1}]\n"
    "1: [:rp :true {}] [:insert 2 {:a 2}]\n"
    "2: [:dp :true 2]\n"
    "3: [:rp :true {1 {:a 1} 2 {:a 2}}]";

TEST_CASE("argue: who would have overwritten what is found later did not come between") {
  const History history = rows_history(kSkewBesideDelete);
  RowsProofEvidence proof = proof_against(Model::kPl3, history);
  CHECK(flaw_of(history, proof) == std::nullopt);
  CHECK(class_of_proof(history, proof) == AnomalyType::kG2);
  // Each of the two came before the other, and nothing else has to be chosen.
  const auto is_choice = [](const RowsProofStep& step) {
    return step.reason == Reason::kFound && step.clause.size() > 1;
  };
  CHECK(std::ranges::none_of(proof.steps, is_choice));
  const auto step = std::ranges::find_if(
      proof.steps, [](const RowsProofStep& one) { return !one.later.empty(); });
  REQUIRE(step != proof.steps.end());
  CHECK(step->later.front().txn == TxnId{3});

  // Without the later result the delete may have come between. An earlier result does not exclude
  // it.
  const RowsProofStep whole = *step;
  step->later.clear();
  CHECK(flaw_of(history, proof).value_or("").find("in between") != std::string::npos);
  *step = whole;
  step->later.front() = {TxnId{0}, 0};
  CHECK(flaw_of(history, proof).has_value());
}

TEST_CASE("argue: an operation that is not known to come later tells nothing of who came between") {
  // T3 may have read before the delete, and the others after it.
  const History history = rows_history(
      "0: [:rp :true {}] [:insert 1 {:a 1}]\n"
      "1: [:rp :true {}] [:insert 2 {:a 2}]\n"
      "2: [:dp :true 1]\n"
      "3: [:rp :true {2 {:a 2}}]");
  const ArgueResult result = argue_rows(history, {.level = order_level(Model::kPl3).value()});
  CHECK(result.validity == Validity::kValid);
}

/// The step that rests on what was found elsewhere, which does not follow without that.
RowsProofStep step_with_findings(const History& history, RowsProofEvidence proof) {
  const auto step = std::ranges::find_if(
      proof.steps, [](const RowsProofStep& one) { return !one.later.empty(); });
  REQUIRE(step != proof.steps.end());
  const RowsProofStep whole = *step;
  step->later.clear();
  CHECK(flaw_of(history, proof).value_or("").find("in between") != std::string::npos);
  for (const LaterFinding wrong : {LaterFinding{TxnId{0}, 0}, LaterFinding{TxnId{2}, 0}}) {
    step->later = {wrong};
    CHECK(flaw_of(history, proof).has_value());
  }
  return whole;
}

/// Row 1 comes and goes; T1 finds it gone, before T2.
constexpr std::string_view kComingAndGoing =
    "0: [:insert 1 {:a 1}] [:insert 3 {:a 1}]\n"
    "1: [:r 3 {:a 1}] [:r 1 nil] [:r 9 nil]\n"
    "2: [:insert 9 {:a 1}]\n"
    "3: [:rp [:key 1 9] {1 {:a 1} 3 {:a 1} 9 {:a 1}}] [:delete 1]\n"
    "4: [:insert 1 {:a 2}]\n"
    "5: [:r 1 {:a 2}] [:delete 1]\n"
    "6: [:insert 1 {:a 3}]\n"
    "7: [:r 1 {:a 3}] [:delete 1]";

TEST_CASE("argue: who writes what another one found and overwrote does so after that one") {
  for (const Model model : {Model::kPl3, Model::kPlSi}) {
    const History history = rows_history(kComingAndGoing);
    const RowsProofEvidence proof = proof_against(model, history);
    CHECK(flaw_of(history, proof) == std::nullopt);
    // T5 and T7 deleted the row, too, but after T3.
    const RowsProofStep step = step_with_findings(history, proof);
    CHECK(step.txn == TxnId{1});
    CHECK(step.clause.size() == 1);
    CHECK(step.later.front().txn == TxnId{3});
  }
}

TEST_CASE("argue: what a reader found tells who wrote last, and the others came before that one") {
  // T3 came after T0, and T4 after T3: T4 found :u as T0 left it.
  const History history = rows_history(
      "0: [:put 1 {:a 2 :u 2}]\n"
      "1: [:put 1 {:a 2 :u 3}]\n"
      "2: [:put 1 {:a 2 :u 4}]\n"
      "3: [:r 1 {:u 2}] [:put 1 {:a 1 :u 5}] [:insert 5 {:a 1}]\n"
      "4: [:r 5 {:a 1}] [:r 1 {:a 2 :u 2}]");
  const RowsProofEvidence proof = proof_against(Model::kPl3, history);
  CHECK(flaw_of(history, proof) == std::nullopt);
  const RowsProofStep step = step_with_findings(history, proof);
  CHECK(step.txn == TxnId{4});
  CHECK(step.clause.size() == 1);
  CHECK(step.later.front().txn == TxnId{4});
}

TEST_CASE("argue: who overwrote what a reader found came after that reader, as values tell") {
  // T2 and T3 each read what the other overwrote.
  const History history = rows_history(
      "0: [:insert 1 {:a 1}] [:insert 2 {:a 1}]\n"
      "1: [:r 1 {:a 1}] [:r 2 {:a 1}] [:update 1 {:a 2}]\n"
      "2: [:r 1 {:a 1}] [:r 2 {:a 1}] [:update 2 {:a 3}]");
  const RowsProofEvidence proof = proof_against(Model::kPl3, history);
  CHECK(flaw_of(history, proof) == std::nullopt);
  CHECK(class_of_proof(history, proof) == AnomalyType::kG2Item);
  CHECK(std::ranges::none_of(proof.steps, [](const RowsProofStep& step) {
    return step.reason == Reason::kFound && step.clause.size() > 1;
  }));
  // That T0 comes before all is what the other steps rest on.
  RowsProofEvidence less = proof;
  const auto first = std::ranges::find_if(less.steps, [](const RowsProofStep& step) {
    return step.reason == Reason::kFound && step.clause.front().first.txn == TxnId{0};
  });
  REQUIRE(first != less.steps.end());
  less.steps.erase(first);
  CHECK(flaw_of(history, less).has_value());
}

/// What clauses say of a history at repeatable read; a proof must survive certification.
Validity at_repeatable_read(std::string_view lines) {
  const History history = rows_history(lines);
  ArgueResult result = argue_rows(history, {.level = {.visibility = Visibility::kSerial},
                                            .old_versions = OldVersions::kOfPredicates});
  if (result.validity == Validity::kInvalid) {
    const RowsProofEvidence proof = {.model = Model::kPl299, .steps = std::move(result.proof)};
    CHECK(check_rows_proof(history, AnomalyType::kPl299CycleExists, proof) == std::nullopt);
  }
  return result.validity;
}

TEST_CASE("argue: a row that was changed though it was not there proves nothing after a delete") {
  const History history = rows_history(
      "0: [:dp [:and :true :true]] [:put 0 {:b 1}] [:r 0 {:a nil}]\n"
      "1: [:update 0 {:a 2 :b 1}] [:put 0 {:b 1}]\n"
      "0?: [:update 0 {:a 1}]\n"
      "1: [:dp [:= :a 3]] [:update 0 {:a 1 :b 1}] [:rp :true [{:a 1 :b 1}]]\n"
      "2: [:dp [:not [:not [:= :a 0]]] #{}] [:rp [:= :b 1] {0 {:a 1 :b nil}}]");
  CHECK(flaw_of(history, proof_against(Model::kPl3, history)) == std::nullopt);
}

TEST_CASE("argue: at repeatable read a count leaves a choice among the rows that match") {
  // One of two rows that were inserted at once was counted.
  CHECK(at_repeatable_read("0: [:insert 1 {:a 1}] [:insert 2 {:a 1}]\n"
                           "1: [:rp [:= :a 1] 1]") == Validity::kValid);
  CHECK(at_repeatable_read("0: [:insert 1 {:a 1}]\n"
                           "1: [:rp [:= :a 1] 2]") == Validity::kInvalid);
  CHECK(at_repeatable_read("init {1 {:a 1} 2 {:a 1}}\n"
                           "1: [:rp [:= :a 1] 1]") == Validity::kInvalid);
}

TEST_CASE("argue: at repeatable read unnamed writes wrote what was found afterwards") {
  constexpr std::string_view kOneOfTwo =
      "init {1 {:a 1} 2 {:a 1}}\n"
      "0: [:up [:in :a 1 2] {:a 2} 1]\n"
      "1: [:r 1 {:a 2}]\n";
  CHECK(at_repeatable_read(kOneOfTwo) == Validity::kInvalid);
  // With an older version of row 2 that did not match.
  const std::string before = "init {1 {:a 1} 2 {:a 0}}\n2: [:update 2 {:a 1}]\n3: [:r 2 {:a 1}]\n";
  CHECK(at_repeatable_read(before + "0: [:up [:in :a 1 2] {:a 2} 1]\n1: [:r 1 {:a 2}]") ==
        Validity::kValid);
}

TEST_CASE("argue: at repeatable read a delete may miss its row, which then was not there") {
  CHECK(at_repeatable_read("0: [:insert 1 {:a 1}]\n1: [:delete 1]\n2: [:r 1 {:a 1}]") ==
        Validity::kValid);
  CHECK(at_repeatable_read("0: [:r 1 nil] [:insert 1 {:a 1}]\n"
                           "1: [:r 1 {:a 1}] [:rp :true {1 {:a 1}}] [:delete 1] [:r 1 {:a 1}]") ==
        Validity::kInvalid);
}

}  // namespace
}  // namespace elapid
