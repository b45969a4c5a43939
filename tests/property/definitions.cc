// Verdicts against the definition of each level, and against one another.
#include <array>
#include <string_view>

#include "engine/check/check.h"
#include "engine/levels/entailment.h"
#include "engine/levels/ladder.h"
#include "tests/oracle/oracle.h"
#include "tests/property/properties.h"
#include "tests/support/tiny_trace.h"
#include "tests/support/verdict_text.h"

namespace elapid {

namespace {

constexpr std::array kDefinedLevels = {
    Model::kPl3,    Model::kStrongSessionSerializable,      Model::kPlSs,
    Model::kPlSi,   Model::kStrongSessionSnapshotIsolation, Model::kStrongSnapshotIsolation,
    Model::kPrefix,
};

Result<Verdict> check_at(const History& history, Model model) {
  return check(history, {.models = ModelSet{model}});
}

/// Registers are always decided, lists if reads show every element.
std::string_view judge(const Result<Verdict>& result, Workload model, bool holds) {
  if (!result.ok()) {
    return "no verdict";
  }
  const Verdict& verdict = result.value();
  if (verdict.validity == Validity::kInvalid && holds) {
    return "a false alarm";
  }
  const bool is_empty = !verdict.anomalies.empty() &&
                        verdict.anomalies.front().type == AnomalyType::kEmptyTransactionGraph;
  if (model == Workload::kRwRegister && verdict.validity == Validity::kUnknown && !is_empty) {
    return "left open";
  }
  const bool claims_proof =
      verdict.validity == Validity::kValid && (verdict.complete || model == Workload::kRwRegister);
  return claims_proof && !holds ? "a violation missed" : "";
}

/// A level that the verdict rules out although it holds; or nothing.
std::string wrongly_ruled_out(const History& history, const Verdict& verdict) {
  const ModelSet ruled_out = verdict.not_models | verdict.also_not_models;
  for (const Model level : kDefinedLevels) {
    const OrderLevel definition = order_level(level).value();
    if (ruled_out.test(level) && (!definition.real_time || history.info().has_real_time) &&
        holds(history, definition)) {
      return std::string(friendly_name(level));
    }
  }
  return {};
}

void count(const Verdict& verdict, Tally& tally) {
  const bool valid = verdict.validity == Validity::kValid;
  tally.valid += valid ? 1U : 0U;
  tally.invalid += verdict.validity == Validity::kInvalid ? 1U : 0U;
  tally.complete += valid && verdict.complete ? 1U : 0U;
}

/// What is wrong with the verdicts on a history at the levels up to real time, or at all.
std::string wrong_verdict(const History& history, Workload model, Tally& tally) {
  for (const Model level : kDefinedLevels) {
    const OrderLevel definition = order_level(level).value();
    if (definition.real_time && !history.info().has_real_time) {
      continue;
    }
    const Result<Verdict> result = check_at(history, level);
    const std::string_view wrong = judge(result, model, holds(history, definition));
    if (!wrong.empty()) {
      return std::string(wrong) + " at " + std::string(friendly_name(level)) + ": " +
             verdict_text(result);
    }
    const std::string ruled_out = wrongly_ruled_out(history, result.value());
    if (!ruled_out.empty()) {
      return ruled_out + " is wrongly ruled out when " + std::string(friendly_name(level)) +
             " is demanded: " + verdict_text(result);
    }
    count(result.value(), tally);
  }
  return {};
}

/// What is wrong with the ladder of a history.
std::string wrong_ladder(const History& history) {
  CheckOptions options = {.models = ModelSet::all(), .each_model = true};
  const Result<Verdict> all = check(history, options);
  if (all.ok() && all.value().ladder.empty() && all.value().validity == Validity::kUnknown) {
    return {};  // nothing committed
  }
  if (!all.ok() || all.value().ladder.size() != kModelCount) {
    return "no whole ladder: " + verdict_text(all);
  }
  const std::vector<Standing>& ladder = all.value().ladder;
  for (const Standing& standing : ladder) {
    const Result<Verdict> alone = check_at(history, standing.model);
    if (!alone.ok()) {
      return verdict_text(alone);
    }
    if (standing.validity != alone.value().validity) {
      return "the ladder differs about " + std::string(friendly_name(standing.model));
    }
  }
  const ModelSet valid = models_that_are(Validity::kValid, ladder);
  for (const Standing& standing : ladder) {
    if (standing.validity == Validity::kInvalid && (entailing(standing.model) & valid).any()) {
      return std::string(friendly_name(standing.model)) + " is violated, and a stronger one holds";
    }
  }
  const bool is_invalid = models_that_are(Validity::kInvalid, ladder).any();
  if (is_invalid != (all.value().validity == Validity::kInvalid) ||
      (is_invalid && all.value().anomalies.empty())) {
    return "no evidence goes with the ladder";
  }
  return {};
}

}  // namespace

std::string contradicts_definitions(const TinyHistory& tiny, Tally& tally) {
  return wrong_verdict(build(tiny), tiny.model, tally);
}

std::string contradicts_definitions_as_trace(const TinyHistory& tiny, Tally& tally) {
  return wrong_as_trace(
      tiny, [&](const History& trace) { return wrong_verdict(trace, tiny.model, tally); });
}

std::string contradicts_lattice(const TinyHistory& tiny) {
  const History history = build(tiny);
  ModelSet violated;
  for (const Model model : ModelSet::all()) {
    const Result<Verdict> result = check_at(history, model);
    if (!result.ok()) {
      return verdict_text(result);
    }
    violated.set(model, result.value().validity == Validity::kInvalid);
  }
  for (const Model model : ModelSet::all()) {
    if (violated.test(model) && (all_impossible(ModelSet{model}) & ~violated).any()) {
      return std::string(friendly_name(model)) + " is violated, but not all stronger models are";
    }
  }
  return {};
}

std::string contradicts_ladder(const TinyHistory& tiny) {
  return wrong_ladder(build(tiny));
}

std::string contradicts_ladder_as_trace(const TinyHistory& tiny) {
  return wrong_as_trace(tiny, [&](const History& trace) { return wrong_ladder(trace); });
}

}  // namespace elapid
