// The solver on random histories. Several cases, so that they run side by side; by default 28,000
// histories in all.
#include <catch2/catch.hpp>

#include "engine/check/realtime_order.h"
#include "harness/sketch/tiny_history.h"
#include "tests/property/for_all.h"
#include "tests/property/regressions.h"
#include "tests/property/solver_properties.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
constexpr Sample kRepeatingRegisters = {
    .model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 4000};

TEST_CASE("solver property: registers with repeated values agree with the oracle") {
  for_both_answers(kRepeatingRegisters, 10 * kBillion, contradicts_oracle);
}

TEST_CASE("solver property: more registers with repeated values agree with the oracle") {
  for_both_answers(kRepeatingRegisters, 11 * kBillion, contradicts_oracle);
}

TEST_CASE("solver property: registers with distinct values agree with the oracle") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 4000}, 12 * kBillion,
                   contradicts_oracle);
}

TEST_CASE("solver property: session traces with repeated values agree with the oracle") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 2000},
                   13 * kBillion, contradicts_oracle_as_trace);
}

TEST_CASE("solver property: session traces with distinct values agree with the oracle") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 1000}, 14 * kBillion,
                   contradicts_oracle_as_trace);
}

void agree_with_mixed_levels(Sample sample, std::uint64_t first_seed) {
  std::size_t left_open = 0;
  const auto property = [&](const TinyHistory& history, Tally& tally) {
    return contradicts_oracle_with_mixed_levels(history, tally, left_open);
  };
  const Tally tally = for_both_answers(sample, first_seed, property);
  CHECK(left_open < tally.valid + tally.invalid);
}

TEST_CASE("solver property: mixed levels of registers agree with the oracle") {
  agree_with_mixed_levels({.model = Workload::kRwRegister, .cases = 1000}, 92 * kBillion);
  agree_with_mixed_levels(
      {.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 1000},
      93 * kBillion);
}

TEST_CASE("solver property: mixed levels of lists agree with the oracle") {
  agree_with_mixed_levels({.model = Workload::kListAppend, .cases = 1000}, 94 * kBillion);
  agree_with_mixed_levels(
      {.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 500},
      95 * kBillion);
}

TEST_CASE("solver property: what a mix says of single levels agrees with their engines") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 1000}, 96 * kBillion,
                   contradicts_bounds_of_mix);
  for_both_answers({.model = Workload::kListAppend, .cases = 1000}, 97 * kBillion,
                   contradicts_bounds_of_mix);
}

/// Values that are written twice are left to others.
void agree_in_real_time(Sample sample, std::uint64_t first_seed) {
  std::size_t missed = 0;
  const auto property = [&](const TinyHistory& history, Tally& tally) {
    return contradicts_real_time(history, tally, missed);
  };
  const Tally tally = for_both_answers(sample, first_seed, property);
  INFO(missed << " of " << tally.valid << " missed");
  CHECK(missed <= tally.valid / (sample.variety == Variety::kRepeating ? 1 : 5));
}

TEST_CASE("solver property: an order in real time agrees with the oracle") {
  agree_in_real_time({.model = Workload::kRwRegister, .cases = 4000}, 100 * kBillion);
  agree_in_real_time({.model = Workload::kListAppend, .cases = 4000}, 101 * kBillion);
  agree_in_real_time(
      {.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 1000},
      102 * kBillion);
  agree_in_real_time({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 1000},
                     103 * kBillion);
}

/// So many open reads of nil and as many open writes of one key; the writes complete first.
History crowd_of(std::int64_t clients) {
  TinyHistory tiny{.model = Workload::kRwRegister};
  const auto add = [&](EventType type, bool is_write) {
    for (std::int64_t i = 0; i < clients; ++i) {
      TinyMop mop;
      if (is_write) {
        mop = {.kind = OpKind::kWrite, .values = {i + 1}};
      }
      tiny.events.push_back({.type = type, .process = i + (is_write ? clients : 0), .mops = {mop}});
    }
  };
  add(EventType::kInvoke, false);
  add(EventType::kInvoke, true);
  add(EventType::kOk, true);
  add(EventType::kOk, false);
  return build(tiny);
}

TEST_CASE("an order in real time: gives up where clients are many, or when it is told to") {
  CHECK(order_in_real_time(crowd_of(30)));
  CHECK_FALSE(order_in_real_time(crowd_of(30), [] { return false; }));
  std::size_t questions = 0;
  CHECK_FALSE(order_in_real_time(crowd_of(2000), [&] { return ++questions != 0; }));
  CHECK(questions <= 3);  // of 128,000 steps; all would be four million
}

TEST_CASE("solver property: raising a level never makes an invalid mix valid") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 500}, 96 * kBillion,
                   is_worse_at_lower_levels);
  for_both_answers({.model = Workload::kListAppend, .cases = 500}, 97 * kBillion,
                   is_worse_at_lower_levels);
}

TEST_CASE("solver property: the definition of mixes is the level's own where all have one") {
  for_both_answers({.model = Workload::kRwRegister, .cases = 500}, 98 * kBillion,
                   contradicts_definition_of_one_level);
  for_both_answers({.model = Workload::kListAppend, .cases = 500}, 99 * kBillion,
                   contradicts_definition_of_one_level);
}

TEST_CASE("solver property: assumptions about keys agree with the oracle") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 1000},
                   22 * kBillion, contradicts_oracle_with_keys);
  for_both_answers({.model = Workload::kRwRegister, .cases = 300}, 23 * kBillion,
                   contradicts_oracle_with_keys);
  for_both_answers({.model = Workload::kListAppend, .cases = 1000}, 24 * kBillion,
                   contradicts_oracle_with_keys);
}

TEST_CASE("solver property: lists agree with the oracle") {
  for_both_answers({.model = Workload::kListAppend, .cases = 4000}, 15 * kBillion,
                   contradicts_oracle);
}

TEST_CASE("solver property: more lists agree with the oracle") {
  for_both_answers({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 4000},
                   16 * kBillion, contradicts_oracle);
}

TEST_CASE("solver property: histories that are read back, odd invocations") {
  for_both_answers({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 2000},
                   27 * kBillion, contradicts_oracle);
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 1000},
                   28 * kBillion, contradicts_oracle);
}

TEST_CASE("solver property: refutations name no more transactions than they need") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 1000},
                   24 * kBillion, says_too_much);
  for_both_answers({.model = Workload::kRwRegister, .cases = 500}, 25 * kBillion, says_too_much);
  for_both_answers({.model = Workload::kListAppend, .cases = 500}, 26 * kBillion, says_too_much);
}

TEST_CASE("solver property: larger registers are answered consistently") {
  for_both_answers({.model = Workload::kRwRegister, .variety = Variety::kLarge, .cases = 500},
                   17 * kBillion, contradicts_itself);
}

TEST_CASE("solver property: larger lists are answered consistently") {
  for_both_answers({.model = Workload::kListAppend, .variety = Variety::kLarge, .cases = 500},
                   18 * kBillion, contradicts_itself);
}

TEST_CASE("solver property: names do not matter") {
  Sample registers = {.model = Workload::kRwRegister, .variety = Variety::kRepeating};
  for_all_histories(registers, 19 * kBillion, depends_on_names);
  for_all_histories({.model = Workload::kListAppend}, 20 * kBillion, depends_on_names);
  registers = {.model = Workload::kRwRegister, .variety = Variety::kLarge, .cases = 100};
  for_all_histories(registers, 21 * kBillion, depends_on_names);
}

TEST_CASE("solver property: histories that went wrong once") {
  Tally tally;
  for_all_regressions(
      [&](const TinyHistory& history) { return contradicts_oracle(history, tally); });
  for_all_regressions(depends_on_names);
}

}  // namespace
}  // namespace elapid
