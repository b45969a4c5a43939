// The saturable levels on random histories; by default 28,000 in all, 14 levels each.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "engine/certify/certify.h"
#include "engine/certify/proofs/refutation.h"
#include "engine/saturate/saturate.h"
#include "harness/sketch/tiny_history.h"
#include "tests/oracle/axioms.h"
#include "tests/property/for_all.h"
#include "tests/property/properties.h"
#include "tests/property/regressions.h"
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

/// What refutes causal consistency without a choice refutes, certified, the levels of the solver.
std::string refutes_causality_wrongly(const TinyHistory& tiny, Tally& tally) {
  return wrong_refutation(build(tiny), tally);
}

/// They are those of the axioms (oracle/axioms.h), survive certification, and follow from one
/// another where the definitions do; serializability and snapshot isolation with session order
/// imply causal consistency.
std::string contradicts_axioms(const TinyHistory& tiny, Tally& tally) {
  return wrong_answers(build(tiny), tally);
}

/// The same of the session traces that say what a history of registers says.
std::string contradicts_axioms_as_trace(const TinyHistory& tiny, Tally& tally) {
  return wrong_as_trace(tiny, [&](const History& trace) { return wrong_answers(trace, tally); },
                        {false});
}

/// They remain when keys, values and sessions get other names.
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

// The first seeds: no two properties see the same histories.
/// Many weak levels forbid little.
constexpr std::size_t kRarest = 20;

TEST_CASE("saturation property: registers with distinct values agree with the axioms") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 6000}, 30 * kBillion,
                   contradicts_axioms, kRarest);
}

TEST_CASE("saturation property: registers with repeated values agree with the axioms") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 6000},
                   31 * kBillion, contradicts_axioms, kRarest);
}

TEST_CASE("saturation property: session traces agree with the axioms") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 3000}, 32 * kBillion,
                   contradicts_axioms_as_trace, kRarest);
}

TEST_CASE("saturation property: session traces with repeated values agree with the axioms") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 3000},
                   33 * kBillion, contradicts_axioms_as_trace, kRarest);
}

TEST_CASE("saturation property: lists agree with the axioms") {
  for_both_answers({.model = Workload::kListAppend, .cases = 2000}, 34 * kBillion,
                   contradicts_axioms, kRarest);
}

TEST_CASE("saturation property: a refutation of causality refutes the solver's levels") {
  constexpr std::size_t kRare = 100;
  for_both_answers({.model = Workload::kRwRegister, .cases = 2000}, 37 * kBillion,
                   refutes_causality_wrongly, kRare);
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 2000},
                   38 * kBillion, refutes_causality_wrongly, kRare);
}

TEST_CASE("saturation property: lists that are read back, odd invocations") {
  for_both_answers({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 2000},
                   52 * kBillion, contradicts_axioms, kRarest);
}

TEST_CASE("saturation property: registers that are read back, odd invocations") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 1000},
                   53 * kBillion, contradicts_axioms, kRarest);
}

TEST_CASE("saturation property: names do not matter") {
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 500},
                    35 * kBillion, depends_on_names_at_weak_levels);
  for_all_histories({.model = Workload::kListAppend, .cases = 500}, 36 * kBillion,
                    depends_on_names_at_weak_levels);
}

TEST_CASE("saturation property: histories that went wrong once") {
  Tally tally;
  for_all_regressions(
      [&](const TinyHistory& history) { return contradicts_axioms(history, tally); });
}

}  // namespace
}  // namespace elapid
