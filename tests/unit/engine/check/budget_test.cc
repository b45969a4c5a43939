// A budget that ends at any question: the answer is the same as without one, or unknown.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/levels/ladder.h"
#include "harness/sketch/tiny_history.h"
#include "tests/oracle/random_rows.h"
#include "tests/support/model_set.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr std::string_view kWords = "(--timeout 1s)";

/// Answers yes so many times.
class Questions {
 public:
  explicit Questions(std::size_t answers) : left_(answers) {}

  bool operator()() {
    is_refused_ = is_refused_ || left_ == 0;
    left_ -= is_refused_ ? 0U : 1U;
    return !is_refused_;
  }

  [[nodiscard]] bool is_refused() const { return is_refused_; }

 private:
  std::size_t left_;
  bool is_refused_ = false;
};

bool has_words(const std::string& because) {
  return because.find(kWords) != std::string::npos;
}

void compare(const Verdict& stopped, const Verdict& whole) {
  if (stopped.validity == Validity::kUnknown && whole.validity != Validity::kUnknown) {
    REQUIRE(stopped.unknown_because);
    CHECK((has_words(*stopped.unknown_because) || !stopped.ladder.empty()));
    CHECK_FALSE(stopped.complete);
  } else {
    CHECK(stopped.validity == whole.validity);
  }
  for (std::size_t i = 0; i < stopped.ladder.size(); ++i) {
    const Standing& rung = stopped.ladder[i];
    const auto same = std::ranges::find(whole.ladder, rung.model, &Standing::model);
    REQUIRE(same != whole.ladder.end());
    INFO(friendly_name(rung.model) << ": " << rung.unknown_because);
    if (rung.validity != Validity::kUnknown) {
      CHECK(rung.validity == same->validity);
    } else if (same->validity != Validity::kUnknown) {
      CHECK_FALSE(rung.unknown_because.empty());
    }
  }
}

/// Ends the budget at the first question, the second, and so on; how many there are in all.
std::size_t stop_everywhere(const History& history, CheckOptions options) {
  const Result<Verdict> whole = check(history, options);
  REQUIRE(whole.ok());
  options.spent_budget = "--timeout 1s";
  for (std::size_t answers = 0;; answers += stride()) {
    Questions questions(answers);
    options.has_budget = std::ref(questions);
    const Result<Verdict> stopped = check(history, options);
    INFO(answers << " questions are answered");
    REQUIRE(stopped.ok());
    compare(stopped.value(), whole.value());
    if (!questions.is_refused()) {
      return answers;
    }
  }
}

struct Case {
  Workload model;
  const char* text;
};

const std::vector<Case> kCases = {
    {Workload::kListAppend, "0 ax1; 1 rx1 ax2; 2 rx12; 0 ay1; 1 rx12 ry1"},
    {Workload::kListAppend, "0 rx ay1; 1 ry ax1; 2 rx1 ry1"},
    {Workload::kListAppend, "0 ax1; 1 ax1; 2 ax2; 3 rx1; 3 rx112"},
    {Workload::kRwRegister, "0 wx1 wy1; 1 rx1 wy2; 2 ry1 wx2"},
    {Workload::kRwRegister, "0 rx_ wx1; 1 rx_ wx2"},
    {Workload::kRwRegister, "0 wx1; 1 wx2; 2 rx1; 2 rx2; 3 rx2; 3 rx1"},
    {Workload::kRwRegister, "0 wx1; 1 wx1; 1 wx2; 2 rx2; 2 rx1"},
};

TEST_CASE("budget: wherever it ends, what is said is right") {
  for (const Case& tried : kCases) {
    INFO(tried.text);
    const History history = build(parse_tiny(tried.model, tried.text));
    CHECK(stop_everywhere(history, {.models = models_of({Model::kPl2})}) > 0);  // rc may do
    for (const Model model : {Model::kPlSi, Model::kPl3, Model::kStrongSessionSerializable}) {
      CHECK(stop_everywhere(history, {.models = models_of({model})}) > 0);  // so may one order
    }
  }
}

TEST_CASE("budget: on the ladder") {
  for (const Case& tried : kCases) {
    INFO(tried.text);
    const History history = build(parse_tiny(tried.model, tried.text));
    CHECK(stop_everywhere(history, {.models = ModelSet::all(), .each_model = true}) > 5);
  }
}

TEST_CASE("budget: of one engine, of Elle, of a single anomaly") {
  for (const Case& tried : kCases) {
    INFO(tried.text);
    const History history = build(parse_tiny(tried.model, tried.text));
    const CheckOptions plain = {.models = models_of({Model::kPl3})};
    for (const Engine engine : {Engine::kElle, Engine::kSolver, Engine::kSearch}) {
      CheckOptions options = plain;
      options.engine = engine;
      CHECK(stop_everywhere(history, options) > 0);
    }
    CheckOptions as_elle = plain;
    as_elle.assumptions.elle_compat = true;
    stop_everywhere(history, as_elle);
    CHECK(stop_everywhere(history, {.anomalies = AnomalySet{AnomalyType::kG1c}}) > 0);
  }
}

/// Ends the time to certify at the first piece of evidence, the second, and so on; how many there
/// are in all.
std::size_t stop_certifying_everywhere(const History& history) {
  CheckOptions options = {.models = models_of({Model::kPl3}), .spent_budget = "--timeout 1s"};
  const Result<Verdict> whole = check(history, options);
  REQUIRE(whole.ok());
  for (std::size_t answers = 0;; answers += stride()) {
    Questions questions(answers);
    options.may_certify = std::ref(questions);
    const Result<Verdict> stopped = check(history, options);
    REQUIRE(stopped.ok());
    if (!questions.is_refused()) {
      CHECK(stopped.value().validity == whole.value().validity);
      return answers;
    }
    CHECK(stopped.value().validity == Validity::kUnknown);
    CHECK(has_words(stopped.value().unknown_because.value_or("")));
    CHECK(stopped.value().anomalies.empty());
    CHECK(stopped.value().levels.empty());
  }
}

TEST_CASE("budget: nothing is told uncertified, and nothing that was certified is lost") {
  std::size_t refused = 0;
  for (const Case& tried : kCases) {
    INFO(tried.text);
    refused += stop_certifying_everywhere(build(parse_tiny(tried.model, tried.text)));
  }
  CHECK(refused > 0);  // not all cases have evidence
}

TEST_CASE("budget: of rows, an order and a proof are certified within the time") {
  CHECK(stop_certifying_everywhere(rows_history("0: [:insert 1 {:a 1}]\n"
                                                "1: [:rp :true {1 {:a 1}}]")) > 0);
  CHECK(stop_certifying_everywhere(rows_history("0: [:rp :true {}] [:insert 1 {:a 1}]\n"
                                                "1: [:rp :true {}] [:insert 2 {:a 2}]")) > 0);
}

}  // namespace
}  // namespace elapid
