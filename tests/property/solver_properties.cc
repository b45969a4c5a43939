#include "tests/property/solver_properties.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/certify/orders/witness.h"
#include "engine/certify/proofs/refutation.h"
#include "engine/solve/excerpt.h"
#include "engine/solve/problem.h"
#include "engine/solve/proof_strength.h"
#include "engine/solve/solve.h"
#include "tests/oracle/oracle.h"
#include "tests/property/order_truth.h"
#include "tests/property/renaming.h"
#include "tests/support/order_levels.h"

namespace elapid {

namespace {

constexpr std::array<std::string_view, 3> kValidities = {"valid", "invalid", "unknown"};

std::string_view text(Validity validity) {
  return kValidities.at(static_cast<std::size_t>(validity));
}

SolveResult solve_at(const History& history, OrderLevel level,
                     const Assumptions& assumptions = {}) {
  return solve(history, {.level = level, .assumptions = assumptions});
}

/// What is wrong with the evidence of an answer.
std::string flaw_of(const SolveResult& result, const History& history, OrderLevel level,
                    const Assumptions& assumptions = {}) {
  std::optional<std::string> flaw;
  if (result.validity == Validity::kUnknown) {
    flaw = "nothing is decided";
  } else if (result.validity == Validity::kValid) {
    flaw =
        result.witness ? check_witness(history, level, *result.witness, assumptions) : "no witness";
  } else if (result.anomalies.empty()) {
    flaw = result.refutation ? check_refutation(history, level, *result.refutation, assumptions)
                             : "no refutation";
  }
  return flaw.value_or("");
}

void count(Validity validity, Tally& tally) {
  tally.valid += validity == Validity::kValid ? 1U : 0U;
  tally.invalid += validity == Validity::kInvalid ? 1U : 0U;
}

/// What is wrong with the answer at one level, of which we may know whether it holds.
std::string wrong_answer(const SolveResult& result, std::optional<bool> expected,
                         const std::string& flaw) {
  const bool is_wrong =
      expected && result.validity != (*expected ? Validity::kValid : Validity::kInvalid);
  const std::string answer = std::string(text(result.validity)) + ' ' + result.unknown_because;
  if (is_wrong) {
    return "should be " + std::string(*expected ? "valid" : "invalid") + ", is " + answer;
  }
  return flaw.empty() ? "" : "is " + answer + " with a flaw: " + flaw;
}

std::string wrong_against_oracle(const History& history, Tally& tally,
                                 const Assumptions& assumptions = {}) {
  const std::vector<OrderLevel> levels = levels_of(history);
  const std::vector<bool> expected = truth(history, levels, assumptions);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const SolveResult result = solve_at(history, levels[i], assumptions);
    count(result.validity, tally);
    const std::string wrong =
        wrong_answer(result, expected[i], flaw_of(result, history, levels[i], assumptions));
    if (!wrong.empty()) {
      return to_text(levels[i]) + ": " + wrong;
    }
  }
  return {};
}

/// By turns, beginning at one of them.
TxnLevels mixed_levels(const History& history, std::span<const Visibility> mix, std::size_t first,
                       OrderLevel orders) {
  std::vector<OrderLevel> levels;
  for (std::size_t t = 0; t < history.txn_count(); ++t) {
    levels.push_back({mix[(first + t) % mix.size()], orders.sessions, orders.real_time});
  }
  return levels.empty() ? TxnLevels(orders) : TxnLevels(std::move(levels));
}

std::string mix_text(std::span<const Visibility> mix, std::size_t first, OrderLevel orders) {
  std::string text = orders.sessions ? "with sessions" : "without sessions";
  text += orders.real_time ? " and real time:" : ":";
  for (std::size_t i = 0; i < mix.size(); ++i) {
    constexpr std::array<std::string_view, 3> kNames = {"serial", "snapshot", "prefix"};
    const auto visibility = static_cast<std::size_t>(mix[(first + i) % mix.size()]);
    text += " " + std::string(visibility < kNames.size() ? kNames.at(visibility) : "committed");
  }
  return text;
}

using Answers = std::array<Validity, kOrderLevels.size()>;

Answers answers(const History& history) {
  Answers all = {};
  std::ranges::transform(kOrderLevels, all.begin(), [&](OrderLevel level) {
    return solve(history, {.level = level, .minimal = false}).validity;
  });
  return all;
}

/// Which changes the order of all events, and so real time.
TinyHistory with_one_session_after_another(TinyHistory history) {
  std::ranges::stable_sort(history.events, std::greater(), &TinyEvent::process);
  return history;
}

/// In clauses and cycles, ascending.
std::vector<TxnId> transactions_named(const SolveResult& result) {
  std::set<TxnId> named;
  for (const ProofStep& step : result.refutation.value_or(Refutation()).steps) {
    for (const Choice& choice : step.clause) {
      named.insert({choice.first, choice.second});
    }
    for (const OrderEdge& edge : step.cycle) {
      named.insert({edge.from, edge.to, edge.overwritten});
    }
  }
  named.erase(TxnId::none());
  return {named.begin(), named.end()};
}

/// Whether these transactions violate the level, by a proof that is at least that strong.
bool violates(const History& history, OrderLevel level, const std::vector<TxnId>& txns,
              const ProofStrength& at_least) {
  const OrderProblem problem(history);
  const Excerpts excerpts(problem, level, {}, txns);
  const SmallHistory rest = excerpts.as_history(excerpts.whole());
  if (truth(rest.history, {excerpts.level()}).front()) {
    return false;
  }
  const SolveResult refuted = solve(rest.history, {.level = excerpts.level(), .minimal = false});
  return strength_of(refuted).is_at_least(at_least);
}

}  // namespace

std::string contradicts_oracle(const TinyHistory& tiny, Tally& tally) {
  return wrong_against_oracle(build(tiny), tally);
}

std::string contradicts_oracle_as_trace(const TinyHistory& tiny, Tally& tally) {
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

std::string contradicts_oracle_with_keys(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  Assumptions given;  // any order will do
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    given.transaction_order.emplace_back(history.representative({t}).index, (t * 5) % 7 / 2);
  }
  const std::pair<const char*, Assumptions> assumptions[] = {
      {"sequential keys", {.sequential_keys = true}},
      {"linearizable keys", {.linearizable_keys = true}},
      {"writes follow reads", {.wfr_keys = true}},
      {"transaction order", given}};
  for (const auto& [name, assumed] : assumptions) {
    const std::string wrong = wrong_against_oracle(history, tally, assumed);
    if (!wrong.empty()) {
      return std::string(name) + ": " + wrong;
    }
  }
  return {};
}

std::string says_too_much(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  for (const OrderLevel level : kOrderLevels) {
    const SolveResult result = solve_at(history, level);
    count(result.validity, tally);
    // Real time without sessions is no named level, and a cycle in time has many ways.
    const std::vector<TxnId> named =
        level.real_time && !level.sessions ? std::vector<TxnId>() : transactions_named(result);
    for (const TxnId superfluous : named) {
      std::vector<TxnId> rest = named;
      std::erase(rest, superfluous);
      if (violates(history, level, rest, strength_of(result))) {
        return to_text(level) + ": the proof needs no transaction " +
               std::to_string(superfluous.value);
      }
    }
  }
  return {};
}

std::string contradicts_oracle_with_mixed_levels(const TinyHistory& tiny, Tally& tally,
                                                 std::size_t& left_open) {
  using enum Visibility;
  constexpr std::array<Visibility, 2> kAdya = {kSerial, kNothing};
  constexpr std::array<Visibility, 2> kWithSnapshots = {kSerial, kSnapshot};
  constexpr std::array<Visibility, 3> kWithTwoEvents = {kSnapshot, kPrefix, kSerial};
  constexpr std::array<Visibility, 5> kAll = {kPrefix, kNothing, kSnapshot, kSerial, kSnapshot};
  const History history = build(tiny);
  for (const std::span<const Visibility> mix :
       {std::span<const Visibility>(kAdya), std::span<const Visibility>(kWithSnapshots),
        std::span<const Visibility>(kWithTwoEvents), std::span<const Visibility>(kAll)}) {
    for (std::size_t first = 0; first < mix.size(); ++first) {
      const OrderLevel orders = {kSerial, first % 2 == 0, first >= 2};
      const TxnLevels levels = mixed_levels(history, mix, first, orders);
      const SolveResult result = solve_mixed(history, levels);
      if (result.validity == Validity::kUnknown && !result.unknown_because.empty()) {
        ++left_open;
        continue;
      }
      count(result.validity, tally);
      const std::string wrong = wrong_answer(result, holds(history, levels), "");
      if (!wrong.empty()) {
        return mix_text(mix, first, orders) + ": " + wrong;
      }
    }
  }
  return {};
}

std::string contradicts_itself(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  std::vector<OrderLevel> satisfied;
  for (const OrderLevel level : kOrderLevels) {
    const SolveResult result = solve_at(history, level);
    count(result.validity, tally);
    const bool is_implied =
        std::ranges::any_of(satisfied, [&](OrderLevel strong) { return implies(strong, level); });
    const std::string wrong = wrong_answer(result, is_implied ? std::optional(true) : std::nullopt,
                                           flaw_of(result, history, level));
    if (!wrong.empty()) {
      return to_text(level) + ": " + wrong;
    }
    if (result.validity == Validity::kValid) {
      satisfied.push_back(level);
    }
  }
  return {};
}

std::string depends_on_names(const TinyHistory& tiny) {
  const Answers before = answers(build(tiny));
  if (answers(build(with_keys_renamed(tiny))) != before) {
    return "an answer depends on the names of keys";
  }
  if (answers(build(with_values_renamed(tiny))) != before) {
    return "an answer depends on values";
  }
  if (answers(build(with_sessions_renamed(tiny))) != before) {
    return "an answer depends on the names of sessions";
  }
  if (tiny.model == Workload::kRwRegister &&
      answers(build_trace(with_one_session_after_another(tiny), {})) !=
          answers(build_trace(tiny, {}))) {
    return "an answer depends on the order of sessions";
  }
  return {};
}

}  // namespace elapid
