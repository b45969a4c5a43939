#include "adapter/cli/commands/predict/predicted.h"

#include <fmt/format.h>

#include <utility>

namespace elapid {

Result<Model> level_with_sessions(Model model, std::string_view name, bool is_target) {
  const std::optional<OrderLevel> asked = order_level(model);
  const bool can_be = asked && !asked->real_time &&
                      (predict::can_be_predicted(asked->visibility) ||
                       (is_target && asked->visibility == Visibility::kSerial));
  if (!can_be) {
    return usage_error(
        is_target ? fmt::format("the target of a prediction is ser, si, pc, cc or ra, not {}", name)
                  : fmt::format(
                        "what a level still allows can be predicted at rc, ra, cc, pc and si, not "
                        "at {}",
                        name));
  }
  for (const Model with_sessions :
       {Model::kRc, Model::kRa, Model::kCc, Model::kPc, Model::kStrongSessionSnapshotIsolation,
        Model::kStrongSessionSerializable}) {
    if (order_level(with_sessions)->visibility == asked->visibility) {
      return with_sessions;
    }
  }
  return usage_error(fmt::format("unknown level {}", name));
}

namespace {

Result<Verdict> verdict_at(const History& history, Model model, Validity expected) {
  CheckOptions options;
  options.models.set(model);
  Result<Verdict> verdict = check(history, options);
  if (verdict && verdict.value().validity != expected) {
    return Error{.kind = ErrorKind::kInternal,
                 .message = fmt::format("a prediction has an unexpected verdict at {}: please "
                                        "report this",
                                        friendly_name(model))};
  }
  return verdict;
}

}  // namespace

Result<Predicted> check_prediction(const History& observed, const predict::Observation& observation,
                                   const PredictLevels& levels,
                                   const predict::Predictor& predictor) {
  const predict::Prediction& prediction = predictor.prediction();
  std::vector<std::uint32_t> origins;
  ELAPID_ASSIGN_OR_RETURN(History history,
                          predict::history_of(observed, observation, prediction, origins));
  ELAPID_RETURN_IF_ERROR(verdict_at(history, levels.level, Validity::kValid));
  ELAPID_ASSIGN_OR_RETURN(Verdict violated, verdict_at(history, levels.target, Validity::kInvalid));
  std::size_t kept = 0;
  for (std::uint32_t t = 1; t < prediction.txns.size(); ++t) {
    kept += prediction.keeps(t) ? 1U : 0U;
  }
  return Predicted{.prediction = prediction,
                   .contradicting = predictor.contradicting(),
                   .changed = predict::changed_reads(observation, prediction),
                   .kept = kept,
                   .history = std::move(history),
                   .origins = std::move(origins),
                   .verdict = std::move(violated)};
}

}  // namespace elapid
