// The saturable levels on random histories; by default 28,000 in all, 14 levels each.
#include <catch2/catch.hpp>

#include "tests/property/for_all.h"
#include "tests/property/regressions.h"
#include "tests/property/saturate_properties.h"

namespace elapid {
namespace {

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
