// The search on random histories; by default 35,000 in all.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/certify/orders/witness.h"
#include "engine/search/search.h"
#include "engine/solve/solve.h"
#include "harness/sketch/tiny_history.h"
#include "tests/property/for_all.h"
#include "tests/property/order_truth.h"
#include "tests/property/properties.h"
#include "tests/support/order_levels.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

/// What is wrong with the answer at one level.
std::string wrong_answer(const SearchResult& result, const History& history, OrderLevel level,
                         Validity expected, Tally& tally) {
  tally.valid += result.validity == Validity::kValid ? 1U : 0U;
  tally.invalid += result.validity == Validity::kInvalid ? 1U : 0U;
  if (result.validity != expected) {
    return "should " + std::string(expected == Validity::kValid ? "" : "not ") + "hold " +
           result.unknown_because;
  }
  if (expected == Validity::kInvalid) {
    return result.failure && !result.failure->txns.empty() ? "" : "nothing is said of the failure";
  }
  return result.witness ? check_witness(history, level, *result.witness).value_or("")
                        : "no witness";
}

std::string wrong_against_oracle(const History& history, Tally& tally) {
  const std::vector<OrderLevel> levels = levels_of(history);
  const std::vector<bool> holds = truth(history, levels);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Validity expected = holds[i] ? Validity::kValid : Validity::kInvalid;
    const SearchResult result = search_orders(history, {.level = levels[i]});
    const std::string wrong = wrong_answer(result, history, levels[i], expected, tally);
    if (!wrong.empty()) {
      return to_text(levels[i]) + ": " + wrong;
    }
  }
  return {};
}

/// They are those of the definitions (oracle.h), and witnesses survive certification. Unknown is no
/// answer.
std::string search_contradicts_oracle(const TinyHistory& tiny, Tally& tally) {
  return wrong_against_oracle(build(tiny), tally);
}

/// The same of the session traces that say what a history of registers says: with an initial value
/// or a recorded initial transaction, with times or without.
std::string search_contradicts_oracle_as_trace(const TinyHistory& tiny, Tally& tally) {
  return wrong_as_trace(tiny,
                        [&](const History& trace) { return wrong_against_oracle(trace, tally); });
}

/// They are the solver's, but for those that take more than a few thousand states, which are
/// counted. For histories that are too large for the oracle.
std::string search_contradicts_solver(const TinyHistory& tiny, Tally& tally,
                                      std::size_t& given_up) {
  const History history = build(tiny);
  for (const OrderLevel level : kOrderLevels) {
    const SearchResult result = search_orders(history, {.level = level, .states = 4000});
    if (result.is_out_of_budget) {
      ++given_up;
      continue;
    }
    const Validity expected = solve(history, {.level = level}).validity;
    const std::string wrong = wrong_answer(result, history, level, expected, tally);
    if (!wrong.empty()) {
      return to_text(level) + ": " + wrong;
    }
  }
  return {};
}

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
