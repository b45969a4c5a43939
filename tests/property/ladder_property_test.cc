// All levels at once on random histories: what the ladder says of the weak ones, from whichever
// engine it has that, is what the axioms say.
#include <catch2/catch.hpp>
#include <string>

#include "engine/check/check.h"
#include "engine/levels/ladder.h"
#include "tests/oracle/axioms.h"
#include "tests/property/for_all.h"
#include "tests/property/regressions.h"

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

TEST_CASE("ladder property: histories that went wrong once") {
  for_all_regressions(contradicts_axioms);
}

}  // namespace
}  // namespace elapid
