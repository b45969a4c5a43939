#include "harness/compare/mix_bounds.h"

#include <string>

#include "engine/levels/asked_levels.h"

namespace elapid {

Result<MixBounds> MixBounds::create(const History& history) {
  if (history.txn_count() == 0) {
    return MixBounds({}, history.workload());
  }
  const Result<AskedLevels> asked = asked_levels(history);
  return asked ? Result<MixBounds>(
                     MixBounds(asked_models(history, asked.value().models), history.workload()))
               : asked.error();
}

CheckerAnswer MixBounds::answer_of(std::span<const Statement> statements,
                                   std::size_t checker) const {
  CheckerAnswer answer = {.reason =
                              "was asked neither a level that all levels of the mix imply, "
                              "nor one that implies them all"};
  for (const auto& [by, level, said] : statements) {
    if (by != checker || said.outcome == Outcome::kNotAsked) {
      continue;
    }
    const bool decides = (said.outcome == Outcome::kInvalid && is_below(level)) ||
                         (said.outcome == Outcome::kValid && is_above(level));
    if (decides) {
      return {.outcome = said.outcome,
              .reason = "follows from " + std::string(friendly_name(level))};
    }
    answer = {.outcome = Outcome::kUnknown, .reason = "does not follow from what it says"};
  }
  return answer;
}

}  // namespace elapid
