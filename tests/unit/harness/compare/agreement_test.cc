#include "harness/compare/agreement.h"

#include <catch2/catch.hpp>
#include <chrono>

namespace elapid {
namespace {

using namespace std::chrono_literals;

constexpr Model kSi = Model::kPlSi;
constexpr Model kSessionSi = Model::kStrongSessionSnapshotIsolation;
constexpr Model kSer = Model::kPl3;
constexpr Workload kItems = Workload::kRwRegister;

Statement says(std::size_t checker, Model question, Outcome outcome, int seconds = 0) {
  return {.checker = checker,
          .question = question,
          .answer = {.outcome = outcome,
                     .reason = outcome == Outcome::kFailed ? "crashed" : "",
                     .cpu_time = std::chrono::seconds(seconds),
                     .peak_bytes = 1}};
}

}  // namespace

TEST_CASE("agreement: one level, two verdicts") {
  const std::vector<Statement> statements = {says(0, kSi, Outcome::kValid),
                                             says(1, kSi, Outcome::kInvalid),
                                             says(2, kSi, Outcome::kUnknown)};
  const std::vector<Disagreement> found = disagreements(statements, kItems);
  REQUIRE(found.size() == 1);
  CHECK(found[0].question == kSi);
  REQUIRE(found[0].valid.size() == 1);
  CHECK(found[0].valid[0].checker == 0);
  REQUIRE(found[0].invalid.size() == 1);
  CHECK(found[0].invalid[0].checker == 1);
}

TEST_CASE("agreement: valid at a stronger level contradicts invalid at a weaker one") {
  const std::vector<Statement> statements = {says(0, kSessionSi, Outcome::kValid),
                                             says(1, kSi, Outcome::kInvalid)};
  const std::vector<Disagreement> found = disagreements(statements, kItems);
  REQUIRE(found.size() == 1);
  CHECK(found[0].question == kSi);
  CHECK(found[0].valid[0].said_of == kSessionSi);
}

TEST_CASE("agreement: valid at a weaker level says nothing of a stronger one") {
  const std::vector<Statement> statements = {says(0, kSi, Outcome::kValid),
                                             says(1, kSessionSi, Outcome::kInvalid),
                                             says(2, kSer, Outcome::kInvalid)};
  CHECK(disagreements(statements, kItems).empty());
  Agreement agreement(3);
  agreement.add(statements, kItems);
  CHECK(agreement.pair(0, 1).compared == 0);
  CHECK(agreement.is_alone(0));
}

TEST_CASE("agreement: of rows repeatable read and serializability are two questions") {
  const std::vector<Statement> statements = {says(0, Model::kPl299, Outcome::kValid),
                                             says(0, kSer, Outcome::kInvalid),
                                             says(1, kSer, Outcome::kInvalid)};
  CHECK(disagreements(statements, kItems).size() == 2);
  CHECK(disagreements(statements, Workload::kRows).empty());
  Agreement agreement(2);
  agreement.add(statements, Workload::kRows);
  CHECK(agreement.pair(0, 1).compared == 1);
  CHECK(agreement.pair(0, 1).agreed == 1);
  const std::vector<Statement> contradiction = {says(0, kSer, Outcome::kValid),
                                                says(1, Model::kPl299, Outcome::kInvalid)};
  CHECK(disagreements(contradiction, Workload::kRows).size() == 1);
}

TEST_CASE("agreement: a checker that contradicts itself stands on both sides") {
  const std::vector<Statement> statements = {says(0, kSessionSi, Outcome::kValid),
                                             says(0, kSi, Outcome::kInvalid)};
  const std::vector<Disagreement> found = disagreements(statements, kItems);
  REQUIRE(found.size() == 1);
  CHECK(found[0].valid[0].checker == 0);
  CHECK(found[0].invalid[0].checker == 0);
}

TEST_CASE("agreement: a checker that was asked a question by several names stands there once") {
  const std::vector<Statement> statements = {
      says(0, Model::kPl299, Outcome::kInvalid), says(0, kSer, Outcome::kInvalid),
      says(1, Model::kPl299, Outcome::kValid), says(1, kSer, Outcome::kValid)};
  const std::vector<Disagreement> found = disagreements(statements, Workload::kRows);
  REQUIRE(found.size() == 2);
  for (const Disagreement& one : found) {
    REQUIRE(one.valid.size() == 1);
    CHECK(one.valid[0].said_of == one.question);
    REQUIRE(one.invalid.size() == 1);
    CHECK(one.invalid[0].said_of == one.question);
  }
}

TEST_CASE("agreement: failures and what was not asked are no statements") {
  const std::vector<Statement> statements = {says(0, kSi, Outcome::kFailed),
                                             says(1, kSi, Outcome::kNotAsked),
                                             says(2, kSi, Outcome::kInvalid)};
  CHECK(disagreements(statements, kItems).empty());
}

TEST_CASE("agreement: each two are compared where both were asked the same") {
  Agreement agreement(3);
  agreement.add(
      std::vector<Statement>{says(0, kSi, Outcome::kValid), says(0, kSer, Outcome::kInvalid),
                             says(1, kSi, Outcome::kValid), says(1, kSer, Outcome::kValid),
                             says(2, kSessionSi, Outcome::kValid)},
      kItems);
  CHECK(agreement.pair(0, 1).compared == 2);
  CHECK(agreement.pair(0, 1).agreed == 1);
  CHECK(agreement.pair(1, 0).agreed == 1);
  // Compared once, by implication: both verdicts imply snapshot isolation.
  CHECK(agreement.pair(0, 2).compared == 1);
  CHECK(agreement.pair(0, 2).agreed == 1);
  CHECK(agreement.histories() == 1);
}

TEST_CASE("agreement: what each checker did and took") {
  Agreement agreement(2);
  agreement.add(
      std::vector<Statement>{says(0, kSi, Outcome::kValid, 2), says(1, kSi, Outcome::kFailed, 1)},
      kItems);
  agreement.add(
      std::vector<Statement>{says(0, kSi, Outcome::kUnknown, 4), says(1, kSi, Outcome::kNotAsked)},
      kItems);
  const CheckerCount& first = agreement.checker(0);
  CHECK(first.valid == 1);
  CHECK(first.unknown == 1);
  CHECK(first.cpu_times == std::vector<std::chrono::microseconds>{2s, 4s});
  const CheckerCount& second = agreement.checker(1);
  CHECK(second.failed == 1);
  CHECK(second.not_asked == 1);
  CHECK(second.runs() == 1);
  CHECK(second.failures == std::vector<std::string>{"crashed"});
  CHECK(agreement.is_alone(0));
}

}  // namespace elapid
