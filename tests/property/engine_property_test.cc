// All engines on random histories in whose corners meanings were mixed up once; by default 8,000
// in all, each at all levels. More with ELAPID_PROPERTY_CASES.
#include <catch2/catch.hpp>

#include "tests/property/engine_properties.h"
#include "tests/property/for_all.h"
#include "tests/property/regressions.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
TEST_CASE("engine property: lists that are read back, odd invocations") {
  for_both_answers({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 3000},
                   70 * kBillion, contradicts_oracles);
}

TEST_CASE("engine property: registers that are read back, odd invocations") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 2500},
                   71 * kBillion, contradicts_oracles);
}

TEST_CASE("engine property: two names of the initial state") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 1500},
                   72 * kBillion, contradicts_oracles_with_initial);
}

TEST_CASE("engine property: elements of lists that are nil, or initial in registers") {
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 1000},
                    74 * kBillion, depends_on_names_of_elements);
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 1000},
                    75 * kBillion, depends_on_names_of_elements);
}

TEST_CASE("engine property: orders of transactions with ties") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 1000},
                   73 * kBillion, contradicts_oracles_in_given_order);
}

TEST_CASE("engine property: histories that went wrong once") {
  Tally tally;
  for_all_regressions(
      [&](const TinyHistory& history) { return contradicts_oracles(history, tally); });
}

}  // namespace
}  // namespace elapid
