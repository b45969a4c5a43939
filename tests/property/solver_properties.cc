#include "tests/property/solver_properties.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/certify/orders/mixed_order.h"
#include "engine/certify/orders/witness.h"
#include "engine/certify/proofs/mixed_proof.h"
#include "engine/certify/proofs/refutation.h"
#include "engine/check/check.h"
#include "engine/check/completion_order.h"
#include "engine/check/minimal_mix.h"
#include "engine/check/mix_inference.h"
#include "engine/check/question.h"
#include "engine/check/realtime_order.h"
#include "engine/levels/asked_levels.h"
#include "engine/levels/mix_bounds.h"
#include "engine/solve/excerpt.h"
#include "engine/solve/problem.h"
#include "engine/solve/proof_strength.h"
#include "engine/solve/solve.h"
#include "engine/verdict/bound_versions.h"
#include "tests/oracle/axioms.h"
#include "tests/oracle/oracle.h"
#include "tests/property/order_truth.h"
#include "tests/property/renaming.h"
#include "tests/support/order_levels.h"
#include "tests/support/tiny_trace.h"

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

/// The error of the answer at one level; `expected`: the truth, if it is known.
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

/// One of each kind that stands beside others.
constexpr std::array<Visibility, 8> kInMixes = {
    Visibility::kSerial,     Visibility::kSnapshot,      Visibility::kPrefix,  Visibility::kCausal,
    Visibility::kReadAtomic, Visibility::kReadCommitted, Visibility::kNothing, Visibility::kCursor};

/// A level for each transaction, as the seed says: of all kinds or of two, with orders for some.
std::vector<OrderLevel> levels_by(std::uint64_t seed, const History& history) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const std::array<std::size_t, 2> two = {pick(kInMixes.size()), pick(kInMixes.size())};
  const bool of_two = pick(3) == 0;
  const std::size_t sessions = pick(4);  // none, all, or some
  const std::size_t real_time = pick(4);
  std::vector<OrderLevel> levels;
  for (std::size_t t = 0; t < history.txn_count(); ++t) {
    const std::size_t kind = of_two ? two.at(pick(2)) : pick(kInMixes.size());
    levels.push_back(
        {kInMixes.at(kind), sessions == 1 || (sessions > 1 && pick(2) == 0),
         history.info().has_real_time && (real_time == 1 || (real_time == 2 && pick(2) == 0))});
  }
  return levels;
}

/// Of a third of all mixes: half of the transactions that are read committed read anything.
std::vector<bool> dirty_of(std::size_t seed, std::span<const OrderLevel> levels) {
  std::mt19937_64 random(seed + 1);
  std::vector<bool> dirty(random() % 3 == 0 ? levels.size() : 0);
  for (std::size_t t = 0; t < dirty.size(); ++t) {
    dirty[t] = levels[t].visibility == Visibility::kNothing && random() % 2 == 0;
  }
  return dirty;
}

std::string mix_text(std::span<const OrderLevel> levels) {
  constexpr std::array<std::string_view, 14> kNames = {
      "serial", "snapshot", "prefix", "causal", "atomic",  "rc",     "",
      "",       "",         "",       "",       "nothing", "cursor", ""};
  std::string text;
  for (const OrderLevel level : levels) {
    text += std::string(text.empty() ? "" : " ") +
            std::string(kNames.at(static_cast<std::size_t>(level.visibility))) +
            (level.sessions ? "+so" : "") + (level.real_time ? "+rt" : "");
  }
  return text;
}

/// What is wrong with the evidence about a mix.
std::string flaw_in_mix(const SolveResult& result, const History& history,
                        const TxnLevels& levels) {
  std::optional<std::string> flaw;
  if (result.validity == Validity::kValid) {
    flaw = result.witness ? check_mixed_order(history, levels, *result.witness) : "no witness";
  } else if (result.anomalies.empty()) {
    flaw = result.refutation ? check_mixed_proof(history, levels, *result.refutation)
                             : "no refutation";
  }
  return flaw.value_or("");
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
  return wrong_as_trace(tiny,
                        [&](const History& trace) { return wrong_against_oracle(trace, tally); });
}

namespace {

/// Whether some element is appended to a list twice: that is left open together with assumptions.
bool repeats(const History& history) {
  std::set<std::pair<KeyId, ValueId>> appended;
  return std::ranges::any_of(history.all_ops(), [&](const Op& op) {
    return op.kind() == OpKind::kAppend && !appended.emplace(op.key(), op.value()).second;
  });
}

}  // namespace

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
    if (history.has_lists() && (!bind_versions(assumed, history) || repeats(history))) {
      continue;
    }
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
  const History history = build(tiny);
  const std::size_t seed = std::hash<std::string>{}(to_text(tiny));
  for (std::size_t i = 0; i < 2 && history.txn_count() > 0; ++i) {
    const std::vector<OrderLevel> each = levels_by(seed + i, history);
    const TxnLevels levels{std::vector(each), dirty_of(seed + i, each)};
    const std::optional<bool> expected = holds_in_mix(history, levels);
    if (!expected) {
      continue;
    }
    if (expected == false && history.info().has_real_time &&
        !check_mixed_order(history, levels, completion_order(history, levels))) {
      return mix_text(each) + ": the order of completions is accepted";
    }
    const MixInference inferred = infer_mix(history, levels);
    const bool is_refuted =
        inferred.refutation && !check_mixed_proof(history, levels, *inferred.refutation);
    if (inferred.holds ? !*expected : is_refuted && *expected) {
      return mix_text(each) + ": the inference contradicts the oracle";
    }
    const SolveResult result = solve_mixed(history, levels);
    if (result.validity == Validity::kUnknown && !result.unknown_because.empty()) {
      ++left_open;
      continue;
    }
    if (result.refutation) {
      const Refutation small = minimal_in_mix(history, levels, *result.refutation, {});
      left_open += check_mixed_proof(history, levels, small) ? 1U : 0U;
    }
    count(result.validity, tally);
    const std::string wrong = wrong_answer(result, expected, flaw_in_mix(result, history, levels));
    if (!wrong.empty()) {
      return mix_text(each) + ": " + wrong;
    }
  }
  return {};
}

std::string contradicts_bounds_of_mix(const TinyHistory& tiny, Tally& tally) {
  constexpr std::array kNamed = {Model::kPl1,
                                 Model::kPl2,
                                 Model::kRc,
                                 Model::kPlCs,
                                 Model::kReadAtomic,
                                 Model::kMonotonicAtomicView,
                                 Model::kCc,
                                 Model::kCausalCerone,
                                 Model::kPrefix,
                                 Model::kPlSi,
                                 Model::kPl3,
                                 Model::kStrongSessionSnapshotIsolation,
                                 Model::kStrongSessionSerializable};
  const History history = build(tiny);
  std::mt19937_64 random(std::hash<std::string>{}(to_text(tiny)));
  const std::array two = {kNamed.at(random() % kNamed.size()), kNamed.at(random() % kNamed.size())};
  std::vector<OrderLevel> levels;
  std::vector<bool> dirty;
  ModelSet asked;
  for (std::size_t t = 0; t < history.txn_count(); ++t) {
    const Model model = two.at(random() % two.size());
    asked.set(model);
    levels.push_back(*level_in_mix(model));
    dirty.push_back(model == Model::kPl1);
  }
  const std::optional<bool> holds =
      levels.empty() ? std::nullopt
                     : holds_in_mix(history, TxnLevels{std::move(levels), std::move(dirty)});
  // Read uncommitted demands other things of writes if it is demanded of all.
  if (!holds || asked == ModelSet{Model::kPl1}) {
    return {};
  }
  const Result<Verdict> verdict = check(history, {.models = ModelSet::all(), .each_model = true});
  if (!verdict) {
    return "no ladder: " + verdict.error().message;
  }
  count(*holds ? Validity::kValid : Validity::kInvalid, tally);
  const ModelSet wrong = *holds ? below_mix(asked, history.workload()) &
                                      models_that_are(Validity::kInvalid, verdict.value().ladder)
                                : above_mix(asked, history.workload()) &
                                      models_that_are(Validity::kValid, verdict.value().ladder);
  return wrong.none()
             ? ""
             : std::string(friendly_name(two[0])) + " and " + std::string(friendly_name(two[1])) +
                   (*holds ? " hold, but not " : " do not hold, but ") +
                   std::string(friendly_name(wrong.first()));
}

std::string contradicts_real_time(const TinyHistory& tiny, Tally& tally, std::size_t& missed) {
  const History history = build(tiny);
  const OrderLevel strict = *order_level(Model::kPlSs);
  if (!real_time_may_settle(history, {.models = {Model::kPlSs}})) {
    return {};
  }
  const bool expected = truth(history, {strict}).front();
  count(expected ? Validity::kValid : Validity::kInvalid, tally);
  const std::optional<Witness> order = order_in_real_time(history);
  missed += expected && !order ? 1U : 0U;
  return order ? check_witness(history, strict, *order, {}).value_or("") : "";
}

std::string contradicts_definition_of_one_level(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  for (const OrderLevel level : levels_of(history)) {
    const std::optional<bool> in_mix = holds_in_mix(history, level);
    if (in_mix && *in_mix != holds(history, level)) {
      return to_text(level) + ": the two definitions differ";
    }
    tally.valid += in_mix == true ? 1U : 0U;
    tally.invalid += in_mix == false ? 1U : 0U;
  }
  const std::optional<bool> cursor = holds_in_mix(history, OrderLevel{Visibility::kCursor});
  if (cursor && cursor != holds_without_cycles(history, {.shape = CycleShape::kCursor})) {
    return "cursor stability: the two definitions differ";
  }
  return {};
}

std::string is_worse_at_lower_levels(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  const std::size_t seed = std::hash<std::string>{}(to_text(tiny));
  std::mt19937_64 random(seed);
  std::vector<OrderLevel> levels = levels_by(seed, history);
  for (Validity before = Validity::kUnknown; !levels.empty();) {
    const SolveResult result = solve_mixed(history, TxnLevels{std::vector(levels)});
    count(result.validity, tally);
    if (before == Validity::kInvalid && result.validity == Validity::kValid) {
      return mix_text(levels) + ": valid, though a lower mix is not";
    }
    before = result.validity == Validity::kUnknown ? before : result.validity;
    OrderLevel& raised = levels[random() % levels.size()];
    if (raised.visibility == Visibility::kSerial) {
      break;
    }
    const bool is_cursor = raised.visibility == Visibility::kCursor;
    raised.visibility = is_cursor || raised.visibility <= Visibility::kSnapshot
                            ? Visibility::kSerial
                        : raised.visibility == Visibility::kNothing
                            ? Visibility::kReadCommitted
                            : static_cast<Visibility>(static_cast<int>(raised.visibility) - 1);
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
