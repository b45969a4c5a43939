// Verdicts derived from answers made by hand: no engine runs.
#include "engine/check/verdict_of.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/certification.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

/// A history, and serializability demanded of it.
struct Asked {
  History history = register_history("0 wx1; 1 rx1");
  CheckOptions options = {.models = ModelSet{Model::kPl3}};
  Question question = question_of(history, options);

  [[nodiscard]] VerdictOf of(std::vector<Answer> answers) const {
    return {history, options, question, std::move(answers)};
  }

  [[nodiscard]] Verdict verdict(std::vector<Answer> answers) const {
    return of(std::move(answers)).take("");
  }
};

Anomaly anomaly(AnomalyType type) {
  return {type, EmptyGraphEvidence{}};
}

Answer proving(Model model) {
  Answer answer = {.engine = "solver"};
  answer.known.prove({model});
  return answer;
}

Answer refuting(Model model, AnomalyType type = AnomalyType::kG2Item) {
  Answer answer = {.engine = "solver"};
  answer.known.refute({model});
  answer.levels = {{model, Validity::kInvalid}};
  answer.violations = {{model, anomaly(type)}};
  return answer;
}

Answer violated_in_time() {
  return {.engine = "timestamps",
          .anomalies = {anomaly(AnomalyType::kGSIb)},
          .believes_timestamps = true,
          .violated_in_time = ModelSet{Model::kPl3}};
}

Answer perhaps_the_clocks() {
  return {.engine = "timestamps",
          .doubt = "the clocks differ",
          .anomalies = {anomaly(AnomalyType::kGSIb)},
          .believes_timestamps = true};
}

TEST_CASE("verdict: what one engine leaves open, another one decides") {
  const Asked asked;
  Answer open;
  open.undecided = {{Model::kPl3, "too hard"}};
  const Verdict undecided = asked.verdict({Answer{.engine = "elle"}, open});
  CHECK(verdict_text(undecided) == "unknown");
  CHECK(undecided.unknown_because == "too hard");
  CHECK(undecided.engine == "elle");
  const Verdict valid = asked.verdict({open, proving(Model::kPl3)});
  CHECK(verdict_text(valid) == "valid");
  CHECK(valid.complete);
  CHECK(valid.engine == "solver");
  CHECK(verdict_text(asked.verdict({open, refuting(Model::kPl3)})) == "invalid G2-item");
  const Answer of_stronger = refuting(Model::kPlSs, AnomalyType::kG2ItemRealtime);
  CHECK(verdict_text(asked.verdict({open, of_stronger})) == "unknown");
}

TEST_CASE("verdict: a doubt is no proof, and no violation either") {
  const Asked asked;
  const Verdict verdict = asked.verdict({Answer{.engine = "elle", .doubt = "stopped"}});
  CHECK(verdict_text(verdict) == "unknown");
  CHECK(verdict.unknown_because == "stopped");
}

TEST_CASE("verdict: timestamps alone") {
  const Asked asked;
  const Verdict violated = asked.verdict({violated_in_time()});
  CHECK(verdict_text(violated) == "invalid GSIb");
  CHECK(violated.complete);
  CHECK((violated.not_models | violated.also_not_models) == ModelSet{Model::kPl3});
  CHECK(violated.cross_check == std::nullopt);
  const Verdict unsure = asked.verdict({perhaps_the_clocks()});
  CHECK(verdict_text(unsure) == "unknown GSIb");
  CHECK(unsure.unknown_because == "the clocks differ");
  CHECK(unsure.not_models.none());
}

TEST_CASE("verdict: a proof without timestamps shows that these are wrong") {
  const Asked asked;
  for (const Answer& timed : {violated_in_time(), perhaps_the_clocks()}) {
    const Verdict verdict = asked.verdict({{}, proving(Model::kPl3), timed});
    CHECK(verdict_text(verdict) == "unknown GSIb");
    CHECK(verdict.cross_check == Validity::kValid);
    CHECK(verdict.unknown_because ==
          "the timestamps are wrong, and the levels hold: some other order satisfies them");
    CHECK(verdict.not_models.none());
    CHECK(verdict.engine == "timestamps");
    CHECK_FALSE(verdict.complete);
  }
}

TEST_CASE("verdict: where clocks are no excuse, what was found without timestamps is shown") {
  const Asked asked;
  const Verdict excused = asked.verdict({{}, refuting(Model::kPl3), perhaps_the_clocks()});
  CHECK(verdict_text(excused) == "invalid G2-item");
  CHECK(excused.cross_check == Validity::kInvalid);
  CHECK(excused.levels.size() == 1);
  CHECK(excused.not_models.any());
  const Verdict violated = asked.verdict({{}, refuting(Model::kPl3), violated_in_time()});
  CHECK(verdict_text(violated) == "invalid GSIb");
  CHECK(violated.cross_check == Validity::kInvalid);
  CHECK(violated.levels.empty());
  const Verdict open = asked.verdict({{}, {}, violated_in_time()});
  CHECK(verdict_text(open) == "invalid GSIb");
  CHECK(open.cross_check == Validity::kUnknown);
}

TEST_CASE("verdict: evidence that is believed and not shown is certified") {
  const Asked asked;
  Answer forged = proving(Model::kPl3);
  forged.levels = {{Model::kPl3, Validity::kValid, Witness{{{TxnId{1}}, {TxnId{0}}}, {}}}};
  Answer timed = violated_in_time();
  timed.anomalies.clear();
  VerdictOf result = asked.of({{}, std::move(forged), std::move(timed)});
  Verdict verdict = result.take("");
  CHECK(verdict.levels.empty());
  const auto flaw = certify_verdict(asked.history, asked.options, {}, result.unshown(), verdict);
  REQUIRE(flaw.has_value());
  CHECK(flaw->kind == ErrorKind::kInternal);
  CHECK(flaw->message.find("serializable") != std::string::npos);
}

}  // namespace
}  // namespace elapid
