// All levels at once on random histories: what the ladder says of the weak ones, from whichever
// engine it has that, is what the axioms say.
#include <catch2/catch.hpp>
#include <string>

#include "engine/check.h"
#include "engine/ladder.h"
#include "tests/oracle/axioms.h"
#include "tests/property/for_all.h"
#include "tests/property/regressions.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
constexpr std::uint64_t kBillion = 1'000'000'000;

Result<Verdict> climb(const History& history, DataModel model, Engine engine) {
  return check(
      history,
      {.data_model = model, .models = ModelSet().set(), .engine = engine, .each_model = true});
}

/// What the inference refutes is left out: of lists it counts the order of appends too, as Adya and
/// Elle do, of which the axioms say nothing.
std::string contradicts_axioms(const TinyHistory& tiny) {
  const History history = build(tiny);
  const Result<Verdict> verdict = climb(history, tiny.model, Engine::kAuto);
  const Result<Verdict> inferred = climb(history, tiny.model, Engine::kElle);
  if (!verdict.ok() || !inferred.ok()) {
    return (verdict.ok() ? inferred : verdict).error().message;
  }
  const ModelSet left_out = models_that_are(Validity::kInvalid, inferred.value().ladder);
  for (const Standing& rung : verdict.value().ladder) {
    const std::optional<OrderLevel> level = order_level(rung.model);
    if (!level || !is_saturable(level->visibility) || rung.validity == Validity::kUnknown ||
        left_out.test(static_cast<std::size_t>(rung.model))) {
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
  for_all_histories(
      {.model = DataModel::kRwRegister, .variety = Variety::kRepeating, .cases = 1500},
      60 * kBillion, contradicts_axioms);
}

TEST_CASE("ladder property: lists with repeated elements") {
  for_all_histories(
      {.model = DataModel::kListAppend, .variety = Variety::kRepeating, .cases = 1500},
      61 * kBillion, contradicts_axioms);
}

TEST_CASE("ladder property: histories that went wrong once") {
  for_all_regressions(contradicts_axioms);
}

}  // namespace
}  // namespace elapid
