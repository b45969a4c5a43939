// All levels at once on random histories: what the ladder says of the weak ones, from whichever
// engine it has that, is what the axioms say; and each level alone has the answer that it has among
// all.
#include <catch2/catch.hpp>
#include <string>

#include "engine/check/check.h"
#include "engine/levels/ladder.h"
#include "tests/oracle/axioms.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"
#include "tests/property/for_all.h"
#include "tests/property/regressions.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
constexpr std::uint64_t kBillion = 1'000'000'000;

std::string contradicts_axioms(const TinyHistory& tiny) {
  const History history = build(tiny);
  const Result<Verdict> verdict = check(history, {.models = ModelSet::all(), .each_model = true});
  if (!verdict.ok()) {
    return verdict.error().message;
  }
  for (const Standing& rung : verdict.value().ladder) {
    if (const std::optional<CycleLevel> cycles = cycle_level(rung.model)) {
      const std::optional<bool> holds = holds_without_cycles(history, *cycles);
      const bool is_open = rung.validity == Validity::kUnknown;
      if (holds && !is_open && *holds != (rung.validity == Validity::kValid)) {
        return std::string(friendly_name(rung.model)) + " should be " +
               (*holds ? "valid" : "invalid");
      }
      const bool may_be_open = rung.unknown_because.find("more than once") != std::string::npos ||
                               rung.unknown_because.find("no transactions") != std::string::npos;
      if (is_open && !may_be_open) {
        return std::string(friendly_name(rung.model)) + " is unknown: " + rung.unknown_because;
      }
    }
    const std::optional<OrderLevel> level = order_level(rung.model);
    if (!level || !is_saturable(level->visibility) || rung.validity == Validity::kUnknown) {
      continue;
    }
    const std::optional<bool> holds = holds_by_axiom(history, *level);
    if (holds && *holds != (rung.validity == Validity::kValid)) {
      return std::string(friendly_name(rung.model)) + " should be " +
             (*holds ? "valid" : "invalid");
    }
  }
  return {};
}

TEST_CASE("ladder property: registers with repeated values") {
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 1500},
                    60 * kBillion, contradicts_axioms);
}

TEST_CASE("ladder property: lists with repeated elements") {
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 1500},
                    61 * kBillion, contradicts_axioms);
}

/// What is wrong with the answer about a level alone, which stands on this rung among all.
std::string flaw_alone(const History& history, const Standing& rung) {
  const Result<Verdict> verdict = check(history, {.models = ModelSet{rung.model}});
  if (!verdict.ok()) {
    return verdict.error().message;
  }
  const Verdict& alone = verdict.value();
  if (alone.validity != rung.validity) {
    return "is " + std::string(validity_word(rung.validity)) + " among all, and alone " +
           std::string(validity_word(alone.validity)) + ": " + alone.unknown_because.value_or("");
  }
  const bool is_named = (alone.not_models | alone.also_not_models).test(rung.model);
  if (is_named != (alone.validity == Validity::kInvalid)) {
    return is_named ? "is named among those ruled out" : "is invalid, and not named as ruled out";
  }
  return alone.validity == Validity::kInvalid && alone.anomalies.empty() ? "is invalid for nothing"
                                                                         : "";
}

std::string has_two_answers(const History& history) {
  const Result<Verdict> all = check(history, {.models = ModelSet::all(), .each_model = true});
  if (!all.ok()) {
    return all.error().message;
  }
  for (const Standing& rung : all.value().ladder) {
    if (std::string flaw = flaw_alone(history, rung); !flaw.empty()) {
      return std::string(friendly_name(rung.model)) + " " + flaw;
    }
  }
  return {};
}

std::string tiny_has_two_answers(const TinyHistory& tiny) {
  return has_two_answers(build(tiny));
}

TEST_CASE("ladder property: a level of registers has one answer, alone and among all") {
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 400},
                    62 * kBillion, tiny_has_two_answers);
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kDistinct, .cases = 400},
                    63 * kBillion, tiny_has_two_answers);
}

TEST_CASE("ladder property: a level of lists has one answer, alone and among all") {
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 400},
                    64 * kBillion, tiny_has_two_answers);
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kDistinct, .cases = 400},
                    65 * kBillion, tiny_has_two_answers);
}

TEST_CASE("ladder property: a level of rows has one answer, alone and among all") {
  const std::uint64_t first = 66 * kBillion + first_seed_of_cases();
  for (std::uint64_t seed = first; seed < first + case_count(200); ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (history && rows_can_be_tried(history.value())) {
      INFO("seed " << seed << '\n' << rows_text(history.value()));
      CHECK(has_two_answers(history.value()) == "");
    }
  }
}

TEST_CASE("ladder property: histories that went wrong once") {
  for_all_regressions(contradicts_axioms);
  for_all_regressions(tiny_has_two_answers);
}

}  // namespace
}  // namespace elapid
