#include "tests/property/adya_properties.h"

#include <array>
#include <optional>

#include "engine/adya/adya.h"
#include "engine/certify/certify.h"
#include "engine/levels/cycle_levels.h"
#include "tests/oracle/axioms.h"
#include "tests/property/repeated_elements.h"
#include "tests/support/tiny_trace.h"

namespace elapid {

namespace {

constexpr std::array kModels = {Model::kPlCs,  Model::kUpdateAtomic, Model::kPl2L,
                                Model::kPlMsr, Model::kPl2Plus,      Model::kPl3U};

std::optional<std::string> flaw_of(const SolveResult& result, const History& history, Model model) {
  if (result.validity == Validity::kUnknown) {
    return is_of_repeated_elements(result.unknown_because) ? std::nullopt
                                                           : std::optional(result.unknown_because);
  }
  return check_level_answer(history,
                            {model, result.validity, result.witness, result.refutation, {}});
}

std::string wrong_at(const History& history, Model model, bool asks_oracle, Tally& tally) {
  const CycleLevel level = *cycle_level(model);
  const SolveResult result = decide_cycles(history, level, {});
  tally.valid += result.validity == Validity::kValid ? 1U : 0U;
  tally.invalid += result.validity == Validity::kInvalid ? 1U : 0U;
  const bool is_decided = result.validity != Validity::kUnknown;
  const std::optional<bool> holds =
      asks_oracle && is_decided ? holds_without_cycles(history, level) : std::nullopt;
  if (holds && *holds != (result.validity == Validity::kValid)) {
    return *holds ? "should be valid" : "should be invalid";
  }
  const std::optional<std::string> flaw = flaw_of(result, history, model);
  return flaw ? "flawed: " + *flaw : "";
}

std::string wrong_answers(const History& history, bool asks_oracle, Tally& tally) {
  for (const Model model : kModels) {
    const std::string wrong = wrong_at(history, model, asks_oracle, tally);
    if (!wrong.empty()) {
      return std::string(friendly_name(model)) + " " + wrong;
    }
  }
  return {};
}

}  // namespace

std::string contradicts_shapes(const TinyHistory& tiny, Tally& tally) {
  return wrong_answers(build(tiny), true, tally);
}

std::string contradicts_shapes_as_trace(const TinyHistory& tiny, Tally& tally) {
  for (const bool has_initial_txn : {false, true}) {
    const TinyTraceForm form{.has_times = false, .has_initial_txn = has_initial_txn};
    const std::string wrong = wrong_answers(build_trace(tiny, form), true, tally);
    if (!wrong.empty()) {
      return wrong + (has_initial_txn ? " (with an initial transaction)" : "");
    }
  }
  return {};
}

std::string leaves_shapes_open(const TinyHistory& tiny, Tally& tally) {
  return wrong_answers(build(tiny), false, tally);
}

}  // namespace elapid
