#include <catch2/catch.hpp>

#include "tests/property/for_all.h"
#include "tests/property/properties.h"
#include "tests/property/regressions.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
TEST_CASE("property: verdicts on lists agree with the definition of each level") {
  const Tally tally =
      for_both_answers({.model = Workload::kListAppend}, 0, contradicts_definitions);
  CHECK(tally.complete > tally.valid / 10);
}

TEST_CASE("property: verdicts on registers agree with the definition of each level") {
  for_both_answers({.model = Workload::kRwRegister}, kBillion, contradicts_definitions);
}

TEST_CASE("property: verdicts on session traces agree with the definition of each level") {
  for_both_answers({.model = Workload::kRwRegister}, 6 * kBillion,
                   contradicts_definitions_as_trace);
}

TEST_CASE("property: stronger levels are violated where weaker ones are") {
  for_all_histories({.model = Workload::kListAppend}, 2 * kBillion, contradicts_lattice);
  for_all_histories({.model = Workload::kRwRegister}, 3 * kBillion, contradicts_lattice);
}

TEST_CASE("property: the ladder of levels agrees with the check of each") {
  for_all_histories({.model = Workload::kListAppend}, 7 * kBillion, contradicts_ladder);
  for_all_histories({.model = Workload::kRwRegister}, 8 * kBillion, contradicts_ladder);
}

TEST_CASE("property: the ladder of levels agrees with the check of each, of session traces") {
  for_all_histories({.model = Workload::kRwRegister, .cases = 200}, 9 * kBillion,
                    contradicts_ladder_as_trace);
}

TEST_CASE("property: names and notation do not matter") {
  for_all_histories({.model = Workload::kListAppend}, 4 * kBillion, depends_on_notation);
  for_all_histories({.model = Workload::kRwRegister}, 5 * kBillion, depends_on_notation);
}

TEST_CASE("property: histories that went wrong once") {
  Tally tally;
  for_all_regressions(
      [&](const TinyHistory& history) { return contradicts_definitions(history, tally); });
  for_all_regressions(contradicts_lattice);
  for_all_regressions(contradicts_ladder);
  for_all_regressions(depends_on_notation);
}

}  // namespace
}  // namespace elapid
