#include "harness/compare/mix_bounds.h"

#include <algorithm>
#include <string>

#include "engine/levels/asked_levels.h"
#include "engine/levels/workload_entailment.h"

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

bool MixBounds::is_below(Model level) const {
  // The mix ignores reads at PL-1, which a checker of one level would count.
  const bool leaves_out_reads = asked_.test(Model::kPl1) && asked_.count() > 1;
  return !leaves_out_reads && std::ranges::all_of(asked_, [&](Model asked) {
    return entailed(asked, workload_).test(level);
  });
}

bool MixBounds::is_above(Model level) const {
  return (asked_ & ~entailed(level, workload_)).none();
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
