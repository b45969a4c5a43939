// Verdicts against the definition of each level.
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "engine/check.h"
#include "tests/oracle/oracle.h"
#include "tests/property/for_all.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

struct Level {
  Model model;
  OracleLevel definition;
};

constexpr std::array kLevels = {
    Level{Model::kPl3, {OracleSnapshot::kLatest, OracleOrder::kNone}},
    Level{Model::kStrongSessionSerializable, {OracleSnapshot::kLatest, OracleOrder::kSession}},
    Level{Model::kPlSs, {OracleSnapshot::kLatest, OracleOrder::kRealtime}},
    Level{Model::kPlSi, {OracleSnapshot::kAny, OracleOrder::kNone}},
    Level{Model::kStrongSessionSnapshotIsolation, {OracleSnapshot::kAny, OracleOrder::kSession}},
    Level{Model::kStrongSnapshotIsolation, {OracleSnapshot::kAny, OracleOrder::kRealtime}},
};

/// How often each answer came, to see that the histories test something.
struct Tally {
  std::size_t valid = 0;
  std::size_t invalid = 0;
  std::size_t complete = 0;
};

Result<Verdict> check_at(const History& history, DataModel data_model, Model model) {
  return check(history, {.data_model = data_model,
                         .models = ModelSet().set(static_cast<std::size_t>(model))});
}

/// What is wrong with a verdict; empty if nothing.
std::string judge(const Result<Verdict>& result, bool holds) {
  if (!result.ok()) {
    return "no verdict";
  }
  const Verdict& verdict = result.value();
  if (verdict.validity == Validity::kInvalid && holds) {
    return "a false alarm";
  }
  if (verdict.validity == Validity::kValid && verdict.complete && !holds) {
    return "a violation missed";
  }
  return {};
}

std::string compare_with_oracle(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  for (const Level& level : kLevels) {
    const Result<Verdict> result = check_at(history, tiny.model, level.model);
    const bool level_holds = holds(history, level.definition);
    if (const std::string wrong = judge(result, level_holds); !wrong.empty()) {
      return wrong + " at " + std::string(friendly_name(level.model)) + ": " + verdict_text(result);
    }
    const Validity validity = result.value().validity;
    tally.valid += validity == Validity::kValid ? 1U : 0U;
    tally.invalid += validity == Validity::kInvalid ? 1U : 0U;
    tally.complete += validity == Validity::kValid && result.value().complete ? 1U : 0U;
  }
  return {};
}

TEST_CASE("property: verdicts on lists agree with the definition of the level") {
  Tally tally;
  for_all_histories(DataModel::kListAppend, 0, [&](const TinyHistory& history) {
    return compare_with_oracle(history, tally);
  });
  CHECK(tally.invalid > tally.valid / 10);
  CHECK(tally.valid > tally.invalid / 10);
  CHECK(tally.complete > tally.valid / 10);
}

TEST_CASE("property: what registers are blamed for is a violation") {
  Tally tally;
  for_all_histories(DataModel::kRwRegister, 1'000'000'000, [&](const TinyHistory& history) {
    return compare_with_oracle(history, tally);
  });
  CHECK(tally.invalid > tally.valid / 10);
  CHECK(tally.valid > tally.invalid / 10);
}

/// Every model that is checked at all: a violation of a weaker one is one of all stronger ones.
std::string find_gap(const TinyHistory& tiny) {
  const History history = build(tiny);
  std::array<bool, kModelCount> is_invalid = {};
  for (std::size_t m = 0; m < kModelCount; ++m) {
    const Model model = static_cast<Model>(m);
    if (!describe(model).checkable) {
      continue;
    }
    const Result<Verdict> result = check_at(history, tiny.model, model);
    if (!result.ok()) {
      return std::string(friendly_name(model)) + ": " + verdict_text(result);
    }
    is_invalid.at(m) = result.value().validity == Validity::kInvalid;
  }
  for (std::size_t weak = 0; weak < kModelCount; ++weak) {
    const ModelSet stronger = all_impossible(ModelSet().set(weak));
    for (std::size_t strong = 0; strong < kModelCount; ++strong) {
      if (is_invalid.at(weak) && stronger.test(strong) && !is_invalid.at(strong) &&
          describe(static_cast<Model>(strong)).checkable) {
        return std::string(friendly_name(static_cast<Model>(weak))) + " is violated, but not " +
               std::string(friendly_name(static_cast<Model>(strong)));
      }
    }
  }
  return {};
}

TEST_CASE("property: stronger levels are violated where weaker ones are") {
  for_all_histories(DataModel::kListAppend, 2'000'000'000, find_gap);
  for_all_histories(DataModel::kRwRegister, 3'000'000'000, find_gap);
}

}  // namespace
}  // namespace elapid
