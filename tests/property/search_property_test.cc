// The search on random histories; by default 35,000 in all.
#include <catch2/catch.hpp>

#include "tests/property/for_all.h"
#include "tests/property/search_properties.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
TEST_CASE("search property: registers with repeated values agree with the oracle") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 6000},
                   40 * kBillion, search_contradicts_oracle);
}

TEST_CASE("search property: registers with distinct values agree with the oracle") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 6000}, 41 * kBillion,
                   search_contradicts_oracle);
}

TEST_CASE("search property: session traces with repeated values agree with the oracle") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 3000},
                   42 * kBillion, search_contradicts_oracle_as_trace);
}

TEST_CASE("search property: session traces with distinct values agree with the oracle") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 2000}, 43 * kBillion,
                   search_contradicts_oracle_as_trace);
}

TEST_CASE("search property: lists agree with the oracle") {
  for_both_answers({.model = Workload::kListAppend, .cases = 6000}, 44 * kBillion,
                   search_contradicts_oracle);
}

TEST_CASE("search property: lists with repeated elements agree with the oracle") {
  for_both_answers({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 6000},
                   45 * kBillion, search_contradicts_oracle);
}

TEST_CASE("search property: histories that are read back, odd invocations") {
  for_both_answers({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 2000},
                   48 * kBillion, search_contradicts_oracle);
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 1000},
                   49 * kBillion, search_contradicts_oracle);
}

/// Of histories that take more than a few states; all but a few are decided.
void check_against_solver(Sample sample, std::uint64_t first_seed) {
  std::size_t given_up = 0;
  const Tally tally =
      for_both_answers(sample, first_seed, [&](const TinyHistory& history, Tally& answers) {
        return search_contradicts_solver(history, answers, given_up);
      });
  CHECK(given_up < (tally.valid + tally.invalid) / 100);
}

TEST_CASE("search property: larger registers agree with the solver") {
  check_against_solver({.model = Workload::kRwRegister, .variety = Variety::kLarge, .cases = 1000},
                       46 * kBillion);
}

TEST_CASE("search property: larger lists agree with the solver") {
  check_against_solver({.model = Workload::kListAppend, .variety = Variety::kLarge, .cases = 1000},
                       47 * kBillion);
}

}  // namespace
}  // namespace elapid
