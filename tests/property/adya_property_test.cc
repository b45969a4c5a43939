// The levels that forbid shapes of cycles, on random histories: six levels each.
#include <catch2/catch.hpp>

#include "tests/property/adya_properties.h"
#include "tests/property/for_all.h"
#include "tests/property/regressions.h"

namespace elapid {
namespace {

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
