#include "tests/property/saturate_properties.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "engine/certify/certify.h"
#include "engine/certify/proofs/refutation.h"
#include "engine/saturate/saturate.h"
#include "tests/oracle/axioms.h"
#include "tests/property/renaming.h"
#include "tests/property/repeated_elements.h"
#include "tests/support/order_levels.h"
#include "tests/support/saturable_levels.h"
#include "tests/support/tiny_trace.h"

namespace elapid {

namespace {

using SaturatedAnswers = std::array<Validity, kSaturableLevels.size()>;

std::optional<std::string> flaw_of(const SolveResult& result, const History& history,
                                   OrderLevel level) {
  if (result.validity == Validity::kUnknown) {
    return is_of_repeated_elements(result.unknown_because) ? std::nullopt
                                                           : std::optional(result.unknown_because);
  }
  if (result.validity == Validity::kValid) {
    return check_evidence(history, level, *result.witness);
  }
  if (!result.anomalies.empty()) {
    return std::nullopt;  // of single reads; certified with the verdict
  }
  return check_evidence(history, level, *result.refutation);
}

std::string wrong_at(const History& history, OrderLevel level, Validity& answer) {
  const SolveResult result = saturate(history, {.level = level});
  answer = result.validity;
  if (const auto flaw = flaw_of(result, history, level)) {
    return "flawed evidence: " + *flaw;
  }
  const std::optional<bool> expected = holds_by_axiom(history, level);
  const bool is_wrong =
      answer != Validity::kUnknown && expected && *expected != (answer == Validity::kValid);
  return is_wrong ? std::string("should be ") + (*expected ? "valid" : "invalid") : "";
}

/// What holds at one level and not at one that it implies.
std::string wrong_implication(const SaturatedAnswers& answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (std::size_t j = 0; j < answers.size(); ++j) {
      if (answers.at(i) == Validity::kValid && answers.at(j) == Validity::kInvalid &&
          saturable_implies(kSaturableLevels.at(i), kSaturableLevels.at(j))) {
        return saturable_text(kSaturableLevels.at(i)) + " holds, and " +
               saturable_text(kSaturableLevels.at(j)) + " does not";
      }
    }
  }
  return {};
}

std::string wrong_answers(const History& history, Tally& tally) {
  SaturatedAnswers answers = {};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const OrderLevel level = kSaturableLevels.at(i);
    if (level.real_time && !history.info().has_real_time) {
      answers.at(i) = Validity::kUnknown;
      continue;
    }
    const std::string wrong = wrong_at(history, level, answers.at(i));
    if (!wrong.empty()) {
      return saturable_text(level) + ": " + wrong;
    }
    tally.valid += answers.at(i) == Validity::kValid ? 1U : 0U;
    tally.invalid += answers.at(i) == Validity::kInvalid ? 1U : 0U;
  }
  const SolveResult strong = solve(history, {.level = {Visibility::kPrefix, true, false}});
  if (strong.validity == Validity::kValid && answers.front() == Validity::kInvalid) {
    return "prefix consistency holds with sessions, and causal consistency does not";
  }
  return wrong_implication(answers);
}

SaturatedAnswers answers_of(const TinyHistory& tiny) {
  const History history = build(tiny);
  SaturatedAnswers answers = {};
  std::ranges::transform(kSaturableLevels, answers.begin(), [&](OrderLevel level) {
    return saturate(history, {.level = level}).validity;
  });
  return answers;
}

/// A refutation of causal consistency is one of every stronger level.
std::string wrong_refutation(const History& history, Tally& tally) {
  for (const OrderLevel level : kOrderLevels) {
    if (level.real_time && !history.info().has_real_time) {
      continue;
    }
    const SolveOptions options = {.level = level};
    const auto proof = refute_causality(history, options);
    ++(proof ? tally.invalid : tally.valid);
    if (!proof) {
      continue;
    }
    if (solve(history, options).validity == Validity::kValid) {
      return to_text(level) + " holds, and its causality was refuted";
    }
    if (const auto flaw = check_refutation(history, level, *proof)) {
      return to_text(level) + ", refuted by its causality: " + *flaw;
    }
    SolveOptions asking = options;
    asking.refute_weaker = refute_causality;
    const SolveResult result = solve(history, asking);
    if (result.validity != Validity::kInvalid) {
      return to_text(level) + " is not refuted with its causality";
    }
  }
  return {};
}

}  // namespace

std::string refutes_causality_wrongly(const TinyHistory& tiny, Tally& tally) {
  return wrong_refutation(build(tiny), tally);
}

std::string contradicts_axioms(const TinyHistory& tiny, Tally& tally) {
  return wrong_answers(build(tiny), tally);
}

std::string contradicts_axioms_as_trace(const TinyHistory& tiny, Tally& tally) {
  for (const bool has_initial_txn : {false, true}) {
    const TinyTraceForm form{.has_times = false, .has_initial_txn = has_initial_txn};
    const std::string wrong = wrong_answers(build_trace(tiny, form), tally);
    if (!wrong.empty()) {
      return wrong + (has_initial_txn ? " (with an initial transaction)" : "");
    }
  }
  return {};
}

std::string depends_on_names_at_weak_levels(const TinyHistory& tiny) {
  const SaturatedAnswers before = answers_of(tiny);
  if (answers_of(with_keys_renamed(tiny)) != before) {
    return "an answer depends on the names of keys";
  }
  if (answers_of(with_values_renamed(tiny)) != before) {
    return "an answer depends on the values";
  }
  return answers_of(with_sessions_renamed(tiny)) == before
             ? ""
             : "an answer depends on the names of sessions";
}

}  // namespace elapid
