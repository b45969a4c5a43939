// Verdicts against the definition of each level, and against one another.
#include <array>
#include <string_view>

#include "engine/check.h"
#include "tests/oracle/oracle.h"
#include "tests/property/properties.h"
#include "tests/support/verdict_text.h"

namespace elapid {

namespace {

constexpr std::array kModels = {
    Model::kPl3,  Model::kStrongSessionSerializable,      Model::kPlSs,
    Model::kPlSi, Model::kStrongSessionSnapshotIsolation, Model::kStrongSnapshotIsolation,
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

/// What is wrong with the verdicts on a history at the levels up to real time, or at all.
std::string wrong_verdict(const History& history, DataModel model, Tally& tally) {
  for (const Model level : kModels) {
    const OrderLevel definition = order_level(level).value();
    if (definition.real_time && !history.info().has_real_time) {
      continue;
    }
    const Result<Verdict> result = check_at(history, model, level);
    const std::string_view wrong = judge(result, holds(history, definition));
    if (!wrong.empty()) {
      return std::string(wrong) + " at " + std::string(friendly_name(level)) + ": " +
             verdict_text(result);
    }
    count(result.value(), tally);
  }
  return {};
}

}  // namespace

std::string contradicts_definitions(const TinyHistory& tiny, Tally& tally) {
  return wrong_verdict(build(tiny), tiny.model, tally);
}

std::string contradicts_definitions_as_trace(const TinyHistory& tiny, Tally& tally) {
  for (const bool has_times : {false, true}) {
    for (const bool has_initial_txn : {false, true}) {
      const std::string wrong = wrong_verdict(
          build_trace(tiny, {.has_times = has_times, .has_initial_txn = has_initial_txn}),
          tiny.model, tally);
      if (!wrong.empty()) {
        return std::string(has_times ? "with times" : "without times") +
               (has_initial_txn ? ", with an initial transaction: " : ": ") + wrong;
      }
    }
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
