// Verdicts against the definition of each level, and against one another.
#include <array>
#include <string_view>

#include "engine/check.h"
#include "tests/oracle/oracle.h"
#include "tests/property/properties.h"
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

Result<Verdict> check_at(const History& history, DataModel data_model, Model model) {
  return check(history, {.data_model = data_model,
                         .models = ModelSet().set(static_cast<std::size_t>(model))});
}

std::string_view judge(const Result<Verdict>& result, bool holds) {
  if (!result.ok()) {
    return "no verdict";
  }
  const Verdict& verdict = result.value();
  if (verdict.validity == Validity::kInvalid && holds) {
    return "a false alarm";
  }
  const bool claims_proof = verdict.validity == Validity::kValid && verdict.complete;
  return claims_proof && !holds ? "a violation missed" : "";
}

void count(const Verdict& verdict, Tally& tally) {
  const bool valid = verdict.validity == Validity::kValid;
  tally.valid += valid ? 1U : 0U;
  tally.invalid += verdict.validity == Validity::kInvalid ? 1U : 0U;
  tally.complete += valid && verdict.complete ? 1U : 0U;
}

}  // namespace

std::string contradicts_definitions(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  for (const Level& level : kLevels) {
    const Result<Verdict> result = check_at(history, tiny.model, level.model);
    const std::string_view wrong = judge(result, holds(history, level.definition));
    if (!wrong.empty()) {
      return std::string(wrong) + " at " + std::string(friendly_name(level.model)) + ": " +
             verdict_text(result);
    }
    count(result.value(), tally);
  }
  return {};
}

std::string contradicts_lattice(const TinyHistory& tiny) {
  const History history = build(tiny);
  ModelSet checked;
  ModelSet violated;
  for (std::size_t m = 0; m < kModelCount; ++m) {
    if (!describe(static_cast<Model>(m)).checkable) {
      continue;
    }
    const Result<Verdict> result = check_at(history, tiny.model, static_cast<Model>(m));
    if (!result.ok()) {
      return verdict_text(result);
    }
    checked.set(m);
    violated.set(m, result.value().validity == Validity::kInvalid);
  }
  for (std::size_t m = 0; m < kModelCount; ++m) {
    if (violated.test(m) && (all_impossible(ModelSet().set(m)) & checked & ~violated).any()) {
      return std::string(friendly_name(static_cast<Model>(m))) +
             " is violated, but not all stronger models are";
    }
  }
  return {};
}

}  // namespace elapid
