#include <catch2/catch.hpp>

#include "tests/unit/engine/certify/history_sketch.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

/// A history with a cycle in it.
struct CycleCase {
  History history;
  std::vector<Step> steps;

  [[nodiscard]] std::string against(AnomalyType type) const {
    return objection(history, SketchKind::kLists, type, CycleEvidence{steps});
  }
};

CycleCase dirty_writes() {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId a = sketch.ok(0, "ax1 ay1");
  const TxnId b = sketch.ok(1, "ax2 ay2");
  sketch.ok(2, "rx12 ry21");
  const KeyId x = sketch.key('x');
  const KeyId y = sketch.key('y');
  return {sketch.build(), {ww(a, b, x, v(1), v(2), 0, 0), ww(b, a, y, v(2), v(1), 1, 1)}};
}

CycleCase circular_reads() {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId a = sketch.ok(0, "ax1 ry1");
  const TxnId b = sketch.ok(1, "ay1 rx1");
  const KeyId x = sketch.key('x');
  const KeyId y = sketch.key('y');
  return {sketch.build(), {wr(a, b, x, v(1), 0, 1), wr(b, a, y, v(1), 0, 1)}};
}

CycleCase fractured_read() {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId a = sketch.ok(0, "ax1 ay1");
  const TxnId b = sketch.ok(1, "ry1 rx");
  const KeyId x = sketch.key('x');
  const KeyId y = sketch.key('y');
  return {sketch.build(), {wr(a, b, y, v(1), 1, 0), rw(b, a, x, ValueId::none(), v(1), 1, 0)}};
}

CycleCase write_skew() {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId a = sketch.ok(0, "rx ay1");
  const TxnId b = sketch.ok(1, "ry ax1");
  const KeyId x = sketch.key('x');
  const KeyId y = sketch.key('y');
  return {sketch.build(),
          {rw(a, b, x, ValueId::none(), v(1), 0, 1), rw(b, a, y, ValueId::none(), v(1), 0, 1)}};
}

CycleCase long_fork() {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId a = sketch.ok(0, "rx ry1");
  const TxnId b = sketch.ok(1, "ax1");
  const TxnId c = sketch.ok(2, "rx1 ry");
  const TxnId d = sketch.ok(3, "ay1");
  const KeyId x = sketch.key('x');
  const KeyId y = sketch.key('y');
  return {sketch.build(),
          {rw(a, b, x, ValueId::none(), v(1), 0, 0), wr(b, c, x, v(1), 0, 0),
           rw(c, d, y, ValueId::none(), v(1), 1, 0), wr(d, a, y, v(1), 0, 1)}};
}

CycleCase stale_read(std::int64_t second_process, Relation order) {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId a = sketch.ok(0, "ax1");
  const TxnId b = sketch.ok(second_process, "rx");
  const KeyId x = sketch.key('x');
  return {sketch.build(),
          {{.from = a, .to = b, .relation = order}, rw(b, a, x, ValueId::none(), v(1), 0, 0)}};
}

TEST_CASE("certify: each class of cycle is known by its steps alone") {
  const std::vector<std::pair<AnomalyType, CycleCase>> cases = [] {
    std::vector<std::pair<AnomalyType, CycleCase>> all;
    all.emplace_back(AnomalyType::kG0, dirty_writes());
    all.emplace_back(AnomalyType::kG1c, circular_reads());
    all.emplace_back(AnomalyType::kGSingleItem, fractured_read());
    all.emplace_back(AnomalyType::kG2Item, write_skew());
    all.emplace_back(AnomalyType::kGNonadjacentItem, long_fork());
    all.emplace_back(AnomalyType::kGSingleItemProcess, stale_read(0, Relation::kProcess));
    all.emplace_back(AnomalyType::kGSingleItemRealtime, stale_read(1, Relation::kRealtime));
    return all;
  }();
  for (const auto& [type, example] : cases) {
    CHECK(example.against(type) == "");
    for (const auto& [other, unused] : cases) {
      if (other != type) {
        CHECK_THAT(example.against(other),
                   Contains("the cycle's steps make it " + std::string(name(type))));
      }
    }
  }
}

TEST_CASE("certify: steps of a cycle chain and close") {
  CycleCase example = long_fork();
  std::swap(example.steps[1], example.steps[2]);
  CHECK_THAT(example.against(AnomalyType::kGNonadjacentItem),
             Contains("step 1 (rw) does not lead to the step after it"));
  example = long_fork();
  example.steps.pop_back();
  CHECK_THAT(example.against(AnomalyType::kGNonadjacentItem),
             Contains("step 3 (rw) does not lead to the step after it"));
  example.steps.clear();
  CHECK_THAT(example.against(AnomalyType::kG0), Contains("a cycle without steps"));
}

TEST_CASE("certify: no transaction stands in a cycle twice") {
  CycleCase example = circular_reads();
  const std::vector<Step> once = example.steps;
  example.steps.insert(example.steps.end(), once.begin(), once.end());
  CHECK_THAT(example.against(AnomalyType::kG1c), Contains("T1 is named twice"));
  example = fractured_read();
  example.steps = {example.steps[0]};
  CHECK(example.against(AnomalyType::kG1c) != "");
}

TEST_CASE("certify: a cycle falls with one of its steps") {
  CycleCase example = fractured_read();
  example.steps[1].from_mop = 0;
  CHECK_THAT(example.against(AnomalyType::kGSingleItem), StartsWith("step 2 (rw): T3"));
}

TEST_CASE("certify: failures name the anomaly they are about") {
  CycleCase good = circular_reads();
  const Certifier certifier(good.history, {}, true);
  std::vector<Step> bad = good.steps;
  bad[0].value = v(7);
  const auto failures = certifier.certify({{AnomalyType::kG1c, CycleEvidence{good.steps}},
                                           {AnomalyType::kG1c, CycleEvidence{bad}},
                                           {AnomalyType::kG0, CycleEvidence{good.steps}}});
  REQUIRE(failures.size() == 2);
  CHECK(failures[0].anomaly == 1);
  CHECK(failures[1].anomaly == 2);
}

// A model's graph has a cycle.

std::string against_exists(const CycleCase& example, AnomalyType type, Model model,
                           std::vector<TxnId> component) {
  return objection(example.history, SketchKind::kLists, type,
                   CycleExistsEvidence{model, std::move(component), example.steps});
}

TEST_CASE("certify: a cycle of a model has only that model's steps") {
  const std::vector<TxnId> both = {TxnId{0}, TxnId{1}};
  CHECK(against_exists(dirty_writes(), AnomalyType::kPl1CycleExists, Model::kPl1, both) == "");
  CHECK_THAT(against_exists(circular_reads(), AnomalyType::kPl1CycleExists, Model::kPl1, both),
             Contains("wr is no dependency of PL-1"));
  CHECK(against_exists(circular_reads(), AnomalyType::kPl2CycleExists, Model::kPl2, both) == "");
  CHECK_THAT(against_exists(write_skew(), AnomalyType::kPl2CycleExists, Model::kPl2, both),
             Contains("rw is no dependency of PL-2"));
  CHECK_THAT(against_exists(write_skew(), AnomalyType::kPlSiCycleExists, Model::kPlSi, both),
             Contains("two anti-dependencies in succession"));
  CHECK(against_exists(write_skew(), AnomalyType::kPl3CycleExists, Model::kPl3, both) == "");
  CHECK(against_exists(long_fork(), AnomalyType::kPlSiCycleExists, Model::kPlSi, both) == "");
}

TEST_CASE("certify: a cycle of a model is shown, or another anomaly rules the model out") {
  const CycleCase example = circular_reads();
  const Anomaly unshown = {AnomalyType::kPl2CycleExists,
                           CycleExistsEvidence{Model::kPl2, {TxnId{0}, TxnId{1}}, {}}};
  const Anomaly cycle = {AnomalyType::kG1c, CycleEvidence{example.steps}};
  std::vector<Step> wrong = example.steps;
  wrong[0].value = v(7);
  const auto failures = [&](const Assumptions& assumptions, const std::vector<Anomaly>& anomalies) {
    return Certifier(example.history, assumptions, true).certify(anomalies).size();
  };
  CHECK(failures({}, {unshown}) == 1);
  CHECK(failures({}, {unshown, cycle}) == 0);
  CHECK(failures({}, {unshown, {AnomalyType::kG1c, CycleEvidence{wrong}}}) == 2);
  CHECK(failures({.elle_compat = true}, {unshown}) == 0);
}

TEST_CASE("certify: an answer that a level holds needs an order of events") {
  const CycleCase example = circular_reads();
  for (const Model model : {Model::kPl3, Model::kPl2, Model::kPl299}) {
    CHECK(check_level_answer(example.history, {.model = model, .validity = Validity::kValid}));
    CHECK_FALSE(check_level_answer(example.history, {.model = model}));
  }
}

TEST_CASE("certify: a model's order of transactions is its own") {
  const std::vector<TxnId> both = {TxnId{0}, TxnId{1}};
  const CycleCase process = stale_read(0, Relation::kProcess);
  CHECK(against_exists(process, AnomalyType::kStrongSessionSerializableCycleExists,
                       Model::kStrongSessionSerializable, both) == "");
  // Real time includes the order of sessions.
  CHECK(against_exists(process, AnomalyType::kPlSsCycleExists, Model::kPlSs, both) == "");
  CHECK(against_exists(process, AnomalyType::kPl3CycleExists, Model::kPl3, both) != "");
}

TEST_CASE("certify: a model's cycle is about that model and distinct transactions") {
  CycleCase example = dirty_writes();
  CHECK(against_exists(example, AnomalyType::kPl1CycleExists, Model::kPl2, {TxnId{0}}) != "");
  CHECK(against_exists(example, AnomalyType::kG0, Model::kPl1, {TxnId{0}}) != "");
  CHECK(against_exists(example, AnomalyType::kPl1CycleExists, Model::kPl1, {}) != "");
  CHECK_THAT(
      against_exists(example, AnomalyType::kPl1CycleExists, Model::kPl1, {TxnId{0}, TxnId{0}}),
      Contains("is named twice"));
  CHECK(against_exists(example, AnomalyType::kPl1CycleExists, Model::kPl1, {TxnId{99}}) != "");
  example.steps[0].value = v(7);
  CHECK(against_exists(example, AnomalyType::kPl1CycleExists, Model::kPl1, {TxnId{0}}) != "");
  example.steps.clear();
  CHECK_THAT(against_exists(example, AnomalyType::kPl1CycleExists, Model::kPl1, {TxnId{0}}),
             Contains("no walk and no other anomaly shows the cycle"));
}

}  // namespace
}  // namespace elapid
