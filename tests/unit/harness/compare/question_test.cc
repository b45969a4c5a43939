#include "harness/compare/question.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

Checker with_levels(std::vector<Model> models) {
  Checker checker;
  for (const Model model : models) {
    checker.levels.push_back({.model = model, .words = {}});
  }
  return checker;
}

Checker engine() {
  Checker checker;
  checker.engine = Engine::kAuto;
  return checker;
}

}  // namespace

TEST_CASE("questions: forms of a level") {
  CHECK(with_sessions(Model::kPlSi) == Model::kStrongSessionSnapshotIsolation);
  CHECK(with_sessions(Model::kPl3) == Model::kStrongSessionSerializable);
  CHECK(with_sessions(Model::kPlSs) == Model::kPlSs);
  CHECK(with_sessions(Model::kPrefix) == Model::kPc);
  CHECK(with_sessions(Model::kRa) == Model::kRa);
  CHECK(without_sessions(Model::kStrongSessionSerializable) == Model::kPl3);
  CHECK(without_sessions(Model::kRa) == Model::kReadAtomic);
  CHECK(without_sessions(Model::kPlSs) == Model::kPlSs);
  CHECK(with_sessions(Model::kPl2L) == Model::kPl2L);
}

TEST_CASE("questions: levels that ask the same, and forms of one level") {
  CHECK(ask_the_same(Model::kLinearizable, Model::kPlSs));
  CHECK(ask_the_same(Model::kPl299, Model::kPl3));
  CHECK_FALSE(ask_the_same(Model::kPlSi, Model::kPl3));
  CHECK(are_forms_of_one(Model::kPlSi, Model::kStrongSnapshotIsolation));
  CHECK_FALSE(are_forms_of_one(Model::kPlSi, Model::kPl3));
}

TEST_CASE("questions: one that a checker does not decide is joined by the form that it does") {
  const Checker always = with_levels({Model::kStrongSessionSnapshotIsolation});
  const Checker plain = with_levels({Model::kPlSi});
  const Checker own = engine();
  const std::vector<const Checker*> all = {&own, &always, &plain};
  const std::vector<Model> wanted = {Model::kPlSi};
  CHECK(questions(wanted, all) ==
        std::vector<Model>{Model::kPlSi, Model::kStrongSessionSnapshotIsolation});
  const std::vector<const Checker*> without = {&own, &plain};
  CHECK(questions(wanted, without) == wanted);
}

TEST_CASE("questions: a checker of another level is asked nothing") {
  const Checker other = with_levels({Model::kRa});
  const std::vector<const Checker*> all = {&other};
  const std::vector<Model> wanted = {Model::kPl3};
  CHECK(questions(wanted, all) == wanted);
  CHECK_FALSE(can_ask(other, Model::kPl3));
}

TEST_CASE("questions: of rows repeatable read is asked of those who decide it") {
  CHECK_FALSE(ask_the_same(Model::kPl299, Model::kPl3, Workload::kRows));
  const Checker serial = with_levels({Model::kPl3});
  CHECK(can_ask(serial, Model::kPl299));
  CHECK(level_for(serial, Model::kPl299, Workload::kRows) == nullptr);
  CHECK(level_for(serial, Model::kPl3, Workload::kRows) != nullptr);
  CHECK(can_ask(engine(), Model::kPl299));
}

TEST_CASE("questions: what levels need of a history") {
  CHECK(needs_of(Model::kPlSs).real_time);
  CHECK(needs_of(Model::kStrongSessionSerializable).sessions);
  CHECK_FALSE(needs_of(Model::kStrongSessionSerializable).real_time);
  CHECK_FALSE(needs_of(Model::kPlSi).sessions);
  CHECK(needs_of(Model::kStrongPl1).real_time);
  CHECK_FALSE(needs_of(Model::kPl1).sessions);
}

}  // namespace elapid
