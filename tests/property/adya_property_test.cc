// The levels that forbid shapes of cycles, on random histories: six levels each.
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "engine/adya/adya.h"
#include "engine/certify/certify.h"
#include "engine/levels/cycle_levels.h"
#include "tests/oracle/axioms.h"
#include "tests/property/for_all.h"
#include "tests/property/regressions.h"
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

/// At each level that forbids cycles: the answer is what the definition says, and the certifier
/// accepts its evidence. Nothing is unknown but lists that show an element that was appended twice.
std::string contradicts_shapes(const TinyHistory& tiny, Tally& tally) {
  return wrong_answers(build(tiny), true, tally);
}

/// The same of the session traces that say what a history of registers says.
std::string contradicts_shapes_as_trace(const TinyHistory& tiny, Tally& tally) {
  return wrong_as_trace(
      tiny, [&](const History& trace) { return wrong_answers(trace, true, tally); }, {false});
}

/// No answer is unknown, and the certifier accepts its evidence. For histories too large for the
/// definition.
std::string leaves_shapes_open(const TinyHistory& tiny, Tally& tally) {
  return wrong_answers(build(tiny), false, tally);
}

// The first seeds: no two properties see the same histories.
TEST_CASE("cycles property: registers with distinct values agree with the definitions") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 5000}, 70 * kBillion,
                   contradicts_shapes);
}

TEST_CASE("cycles property: registers with repeated values agree with the definitions") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 2000},
                   71 * kBillion, contradicts_shapes);
}

TEST_CASE("cycles property: session traces agree with the definitions") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 2000},
                   72 * kBillion, contradicts_shapes_as_trace);
}

TEST_CASE("cycles property: lists agree with the definitions") {
  for_both_answers({.model = Workload::kListAppend, .cases = 5000}, 73 * kBillion,
                   contradicts_shapes);
}

TEST_CASE("cycles property: odd histories agree with the definitions") {
  for_both_answers({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 2000},
                   74 * kBillion, contradicts_shapes);
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 1000},
                   75 * kBillion, contradicts_shapes);
}

TEST_CASE("cycles property: nothing is unknown of larger histories") {
  Tally tally;
  const auto property = [&](const TinyHistory& history) {
    return leaves_shapes_open(history, tally);
  };
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kLarge, .cases = 300},
                    76 * kBillion, property);
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kLarge, .cases = 300},
                    77 * kBillion, property);
}

TEST_CASE("cycles property: histories that went wrong once") {
  Tally tally;
  for_all_regressions(
      [&](const TinyHistory& history) { return contradicts_shapes(history, tally); });
}

}  // namespace
}  // namespace elapid
