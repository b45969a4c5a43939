#include "tests/property/search_properties.h"

#include <algorithm>
#include <vector>

#include "engine/certify/orders/witness.h"
#include "engine/search/search.h"
#include "engine/solve/solve.h"
#include "tests/property/order_truth.h"
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

}  // namespace

std::string search_contradicts_oracle(const TinyHistory& tiny, Tally& tally) {
  return wrong_against_oracle(build(tiny), tally);
}

std::string search_contradicts_oracle_as_trace(const TinyHistory& tiny, Tally& tally) {
  for (const bool has_times : {false, true}) {
    for (const bool has_initial_txn : {false, true}) {
      const TinyTraceForm form{.has_times = has_times, .has_initial_txn = has_initial_txn};
      const std::string wrong = wrong_against_oracle(build_trace(tiny, form), tally);
      if (!wrong.empty()) {
        return std::string(has_times ? "with times" : "without times") +
               (has_initial_txn ? ", with an initial transaction: " : ": ") + wrong;
      }
    }
  }
  return {};
}

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

}  // namespace elapid
