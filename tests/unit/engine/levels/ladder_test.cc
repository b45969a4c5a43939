// All levels at once: what follows from what, and where a history stands.
#include <algorithm>
#include <catch2/catch.hpp>

#include "engine/check/check.h"
#include "engine/levels/entailment.h"
#include "engine/levels/ladder.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/model_set.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

bool entails(Model strong, Model weak) {
  return entailed(strong).test(weak) && entailing(weak).test(strong);
}

Verdict climbed(const History& history) {
  Result<Verdict> result = check(history, {.models = ModelSet::all(), .each_model = true});
  REQUIRE(result.ok());
  return std::move(result).value();
}

Validity standing(const Verdict& verdict, Model model) {
  for (const Standing& rung : verdict.ladder) {
    if (rung.model == model) {
      return rung.validity;
    }
  }
  FAIL("no rung");
  return Validity::kUnknown;
}

Validity alone(const History& history, Model model) {
  Result<Verdict> result = check(history, {.models = models_of({model})});
  REQUIRE(result.ok());
  return result.value().validity;
}

ModelSet strongest(const Verdict& verdict) {
  return strongest_of(models_that_are(Validity::kValid, verdict.ladder));
}

ModelSet weakest_violated(const Verdict& verdict) {
  return weakest_of(models_that_are(Validity::kInvalid, verdict.ladder));
}

TEST_CASE("entailment: whatever the lattice implies") {
  for (const Model model : ModelSet::all()) {
    const ModelSet implied = all_implied(ModelSet{model});
    CHECK((implied & ~entailed(model)).none());
  }
}

TEST_CASE("entailment: models that ask the same entail one another") {
  CHECK(entails(Model::kPl3, Model::kOneSr));
  CHECK(entails(Model::kOneSr, Model::kPl3));
  CHECK(entails(Model::kViewSerializable, Model::kPlSi));
  CHECK(entails(Model::kSequential, Model::kStrongSessionSerializable));
  CHECK(entails(Model::kLinearizable, Model::kPlSs));
  CHECK(entails(Model::kPl2Plus, Model::kPlFcv));
}

TEST_CASE("entailment: no more than what follows") {
  CHECK(entails(Model::kCc, Model::kCausalCerone));
  CHECK_FALSE(entails(Model::kCausalCerone, Model::kCc));
  CHECK_FALSE(entails(Model::kPl3, Model::kStrongSessionSerializable));
  CHECK_FALSE(entails(Model::kPl3, Model::kReadYourWrites));
  CHECK_FALSE(entails(Model::kPl2Plus, Model::kParallelSnapshotIsolation));
  CHECK_FALSE(entails(Model::kPram, Model::kCausal));
  CHECK_FALSE(entails(Model::kPlSi, Model::kPl299));
}

TEST_CASE("entailment: two models together may entail a third") {
  KnownModels known;
  known.prove(models_of({Model::kPl2Plus}));
  CHECK_FALSE(known.is_decided(Model::kParallelSnapshotIsolation));
  known.prove(models_of({Model::kReadAtomic}));
  CHECK(known.proven().test(Model::kParallelSnapshotIsolation));
  CHECK(known.proven().test(Model::kUpdateAtomic));
  known.refute(models_of({Model::kPl3}));
  CHECK(known.refuted().test(Model::kLinearizable));
  CHECK_FALSE(known.refuted().test(Model::kPlSi));
}

TEST_CASE("ladder: a history without a flaw holds at every level") {
  const Verdict verdict = climbed(list_history("ax1; rx1 ay1; ry1"));
  CHECK(verdict.validity == Validity::kValid);
  CHECK(verdict.complete);
  CHECK(verdict.ladder.size() == kModelCount);
  CHECK(strongest(verdict) == models_of({Model::kPlSs}));
  CHECK(weakest_violated(verdict).none());
  CHECK(verdict.anomalies.empty());
}

TEST_CASE("ladder: write skew leaves snapshots whole") {
  const Verdict verdict = climbed(list_history("0> ax1; 1> ay1; 0+ ry ax1; 1+ rx ay1; rx1 ry1"));
  CHECK(verdict.validity == Validity::kInvalid);
  CHECK(strongest(verdict) == models_of({Model::kStrongSnapshotIsolation}));
  CHECK(weakest_violated(verdict) == models_of({Model::kPl3U}));
  REQUIRE(verdict.anomalies.size() == 1);
  CHECK(verdict.anomalies.front().type == AnomalyType::kGUpdate);
}

TEST_CASE("ladder: evidence is of the weakest that are violated") {
  // A fractured read, which is a read skew too, in one place, a write skew in another.
  const Verdict verdict = climbed(register_history(
      "0+ wx1 wy1; 1+ wx2 wy2; 2+ ry2 rx1; 3> wa1; 4> wb1; 3+ rb_ wa1; 4+ ra_ wb1"));
  CHECK(verdict.validity == Validity::kInvalid);
  CHECK(standing(verdict, Model::kMonotonicAtomicView) == Validity::kValid);
  CHECK(standing(verdict, Model::kPl2) == Validity::kValid);
  CHECK(standing(verdict, Model::kPl3) == Validity::kInvalid);
  CHECK(weakest_violated(verdict) == models_of({Model::kReadAtomic, Model::kPl2Plus}));
  for (const Anomaly& anomaly : verdict.anomalies) {
    CHECK(anomaly.type != AnomalyType::kG2Item);
  }
}

TEST_CASE("ladder: real time that a history lacks is unknown, unless sessions refute it") {
  HistoryBuilder builder;
  const KeyId x = builder.key(ValueId::integer(1));
  const MopInput write{.kind = OpKind::kWrite, .key = x, .value = ValueId::integer(1)};
  REQUIRE(builder.add_transaction({.session = 0, .mops = {&write, 1}}).ok());
  const History history = std::move(builder).build({}).value();
  REQUIRE_FALSE(history.info().has_real_time);
  const Verdict verdict = climbed(history);
  CHECK(verdict.validity == Validity::kUnknown);
  CHECK(standing(verdict, Model::kPlSs) == Validity::kUnknown);
  CHECK(standing(verdict, Model::kStrongSessionSerializable) == Validity::kValid);
}

TEST_CASE("ladder: of a history without transactions nothing can be said") {
  const Verdict verdict = climbed(list_history(""));
  CHECK(verdict.validity == Validity::kUnknown);
  CHECK(verdict.ladder.empty());
}

TEST_CASE("levels that others decide: valid where a stronger one holds") {
  const History history = register_history("wx1; rx1 wx2; rx2");
  for (const Model model : {Model::kPlCs, Model::kPl2L, Model::kPl3U, Model::kPlMsr, Model::kPlFcv,
                            Model::kUpdateAtomic, Model::kParallelSnapshotIsolation}) {
    INFO(friendly_name(model));
    CHECK(alone(history, model) == Validity::kValid);
  }
}

TEST_CASE("levels that others decide: invalid where a weaker one is violated") {
  const History history = register_history("-wx1; rx1");
  for (const Model model : {Model::kPlCs, Model::kPl2L, Model::kPl3U, Model::kPlMsr, Model::kPlFcv,
                            Model::kUpdateAtomic, Model::kParallelSnapshotIsolation}) {
    INFO(friendly_name(model));
    CHECK(alone(history, model) == Validity::kInvalid);
  }
}

TEST_CASE("ladder: what the evidence of a level forbids is violated") {
  // However the versions of x follow one another, the two are in a G-single-item, which rules out
  // consistent view too, though an order of that is not asked for.
  const History history = register_history("0 wx2 ry_; 1 rx_ wy1 wx2");
  const Verdict verdict = climbed(history);
  for (const Model model : {Model::kPlSi, Model::kPl2Plus, Model::kPlFcv, Model::kPl3U}) {
    INFO(friendly_name(model));
    CHECK(standing(verdict, model) == Validity::kInvalid);
  }
  CHECK(standing(verdict, Model::kPrefix) == Validity::kValid);
  CHECK(std::ranges::any_of(verdict.anomalies, [](const Anomaly& anomaly) {
    return anomaly.type == AnomalyType::kGSingleItem;
  }));
}

/// Where reads do not tell the order of versions, that of the history closes no cycle.
TEST_CASE("levels of writes alone: registers satisfy them, also with values written twice") {
  const History history = register_history("wx1; rx1 wx1; -wy1; ry1 wx2");
  CHECK(alone(history, Model::kPl1) == Validity::kValid);
  CHECK(alone(history, Model::kStrongSessionPl1) == Validity::kValid);
  CHECK(alone(history, Model::kStrongPl1) == Validity::kValid);
  CHECK(alone(history, Model::kPl2) == Validity::kInvalid);
}

TEST_CASE("levels between others: write skew is one of update transactions") {
  const History history = list_history("0> ax1; 1> ay1; 0+ ry ax1; 1+ rx ay1; rx1 ry1");
  CHECK(alone(history, Model::kPl3U) == Validity::kInvalid);
  CHECK(alone(history, Model::kPlMsr) == Validity::kValid);
  CHECK(alone(history, Model::kPlFcv) == Validity::kValid);
  CHECK(alone(history, Model::kOneSr) == Validity::kInvalid);
  CHECK(alone(history, Model::kSequential) == Validity::kInvalid);
}

TEST_CASE("ladder: complete if no level is left open") {
  const TinyHistory skewed = parse_tiny(Workload::kRwRegister, "0 rx_ wx1; 1 rx_ wx2");
  CHECK(climbed(register_history("0 rx1")).complete);
  const Verdict untimed = climbed(build_trace(skewed, {}));
  CHECK(untimed.validity == Validity::kInvalid);
  CHECK(standing(untimed, Model::kStrongPl2) == Validity::kUnknown);
  CHECK_FALSE(untimed.complete);
}

}  // namespace
}  // namespace elapid
