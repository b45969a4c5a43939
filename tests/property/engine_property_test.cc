// All engines on random histories in whose corners meanings were mixed up once; by default 8,000
// in all, each at all levels. More with ELAPID_PROPERTY_CASES.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/levels/ladder.h"
#include "harness/sketch/tiny_history.h"
#include "tests/oracle/axioms.h"
#include "tests/oracle/oracle.h"
#include "tests/property/for_all.h"
#include "tests/property/properties.h"
#include "tests/property/regressions.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

constexpr std::array kEngines = {
    std::pair(Engine::kAuto, "auto"),     std::pair(Engine::kElle, "elle"),
    std::pair(Engine::kSolver, "solver"), std::pair(Engine::kSaturation, "saturation"),
    std::pair(Engine::kSearch, "search"),
};

/// What the oracles say of a history, each level asked once.
class Truth {
 public:
  Truth(const History& history, const Assumptions& assumptions)
      : history_(history), assumptions_(assumptions) {}

  /// Nothing if no oracle defines the model, or if that is too much to try.
  std::optional<bool> of(Model model) {
    const auto [entry, is_new] = known_.try_emplace(model);
    if (is_new) {
      entry->second = ask(model);
    }
    return entry->second;
  }

 private:
  [[nodiscard]] std::optional<bool> ask(Model model) const {
    const std::optional<OrderLevel> level = order_level(model);
    if (const std::optional<CycleLevel> cycles = cycle_level(model)) {
      return assumptions_.order_something() ? std::nullopt
                                            : holds_without_cycles(history_, *cycles);
    }
    if (!level || (level->real_time && !history_.info().has_real_time)) {
      return std::nullopt;
    }
    if (!is_saturable(level->visibility)) {
      return holds(history_, *level, assumptions_);
    }
    return assumptions_.order_something() ? std::nullopt : holds_by_axiom(history_, *level);
  }

  const History& history_;
  Assumptions assumptions_;
  std::map<Model, std::optional<bool>> known_;
};

/// Whether lists do not tell all: some element was appended twice and is shown.
bool repeats_elements(const History& history) {
  std::set<std::pair<KeyId, ValueId>> appended;
  std::set<std::pair<KeyId, ValueId>> repeated;
  std::set<std::pair<KeyId, ValueId>> shown;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    for (const Op op : history.ops({t})) {
      const bool is_new = op.kind() != OpKind::kAppend ||
                          history.status({t}) == TxnStatus::kAborted ||
                          appended.insert({op.key(), op.value()}).second;
      if (!is_new) {
        repeated.insert({op.key(), op.value()});
      }
      for (const ValueId element :
           op.kind() == OpKind::kReadList ? history.elements(op) : std::span<const ValueId>()) {
        shown.insert({op.key(), element});
      }
    }
  }
  return std::ranges::any_of(repeated,
                             [&](const auto& element) { return shown.contains(element); });
}

class EngineComparison {
 public:
  EngineComparison(const TinyHistory& tiny, const History& history, Assumptions assumptions,
                   Tally& tally)
      : history_(history),
        model_(tiny.model),
        assumptions_(std::move(assumptions)),
        truth_(history, assumptions_),
        tally_(tally) {}

  /// What is wrong, or nothing.
  std::string run() {
    for (const auto& [engine, name] : kEngines) {
      if (const std::string wrong = wrong_ladder(engine); !wrong.empty()) {
        return std::string(name) + ": " + wrong;
      }
    }
    for (const Model model : ModelSet::all()) {
      if (static_cast<std::size_t>(model) % 4 != history_.op_count() % 4 || !truth_.of(model)) {
        continue;
      }
      if (const std::string wrong = wrong_alone(model); !wrong.empty()) {
        return "alone: " + wrong;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] bool has_committed() const {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.committed({t})) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] CheckOptions options(Engine engine, ModelSet models) const {
    return {.models = models, .assumptions = assumptions_, .engine = engine};
  }

  std::string wrong_ladder(Engine engine) {
    CheckOptions all = options(engine, ModelSet::all());
    all.each_model = true;
    const Result<Verdict> verdict = check(history_, all);
    if (!verdict.ok()) {
      return verdict.error().message;
    }
    for (const Standing& rung : verdict.value().ladder) {
      if (std::string wrong = wrong_answer(rung.model, rung.validity); !wrong.empty()) {
        return wrong;
      }
      if (engine == Engine::kAuto && rung.validity == Validity::kUnknown &&
          is_decidable(rung.model) && has_committed()) {
        return std::string(friendly_name(rung.model)) + " is left open: " + rung.unknown_because;
      }
    }
    return {};
  }

  std::string wrong_alone(Model model) {
    const Result<Verdict> verdict = check(history_, options(Engine::kAuto, ModelSet{model}));
    if (!verdict.ok()) {
      return std::string(friendly_name(model)) + ": " + verdict.error().message;
    }
    const Validity validity = verdict.value().validity;
    const bool is_claimed = validity != Validity::kValid || verdict.value().complete;
    return is_claimed ? wrong_answer(model, validity) : "";
  }

  std::string wrong_answer(Model model, Validity validity) {
    const std::optional<bool> expected = truth_.of(model);
    if (!expected || validity == Validity::kUnknown) {
      return {};
    }
    tally_.valid += validity == Validity::kValid ? 1U : 0U;
    tally_.invalid += validity == Validity::kInvalid ? 1U : 0U;
    const bool is_right = *expected == (validity == Validity::kValid);
    return is_right ? ""
                    : std::string(friendly_name(model)) + " should be " +
                          (*expected ? "valid" : "invalid");
  }

  /// Whether some engine decides the model completely on this history.
  [[nodiscard]] bool is_decidable(Model model) const {
    const std::optional<OrderLevel> level = order_level(model);
    if (!level || (level->real_time && !history_.info().has_real_time)) {
      return false;
    }
    return !is_saturable(level->visibility) ||
           (!assumptions_.order_something() &&
            (model_ == Workload::kRwRegister || !repeats_elements(history_)));
  }

  const History& history_;
  Workload model_;
  Assumptions assumptions_;
  Truth truth_;
  Tally& tally_;
};

/// By engine, its answer on each level; nothing after an error, which is reported.
using Ladders = std::vector<std::vector<Standing>>;

Ladders ladders_of_engines(const History& history, std::string& error) {
  Ladders ladders;
  for (const auto& [engine, name] : kEngines) {
    const Result<Verdict> verdict =
        check(history, {.models = ModelSet::all(), .engine = engine, .each_model = true});
    ladders.push_back(verdict.ok() ? verdict.value().ladder : std::vector<Standing>());
    if (!verdict.ok()) {
      error = std::string(name) + ": " + verdict.error().message;
    }
  }
  return ladders;
}

bool contradict(const Standing& a, const Standing& b) {
  return a.validity != b.validity && a.validity != Validity::kUnknown &&
         b.validity != Validity::kUnknown;
}

/// Every second read of nil calls it 0.
TinyHistory with_two_names(TinyHistory tiny) {
  bool is_zero = false;
  for (TinyEvent& event : tiny.events) {
    for (TinyMop& mop : event.mops) {
      const bool is_nil = event.type != EventType::kInvoke && mop.is_read() && mop.values.empty();
      is_zero = is_nil ? !is_zero : is_zero;
      if (is_nil && is_zero) {
        mop.values = {0};
      }
    }
  }
  return tiny;
}

/// On the ladder of each engine, and of some levels asked for alone: what is called valid or
/// invalid is so by the oracles, evidence survives certification, and nothing is left open that is
/// decided completely (of lists that show no element that was appended twice). Answers what is
/// wrong, or nothing.
std::string contradicts_oracles(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  return EngineComparison(tiny, history, {}, tally).run();
}

/// The same of a history of registers in which nil and 0 are both the initial state.
std::string contradicts_oracles_with_initial(const TinyHistory& tiny, Tally& tally) {
  const TinyHistory named = with_two_names(tiny);
  const History history = build_with_initial(named);
  return EngineComparison(named, history, {}, tally).run();
}

/// The same for saturable levels, under an order of some transactions. Some share a place.
std::string contradicts_oracles_in_given_order(const TinyHistory& tiny, Tally& tally) {
  const History history = build(tiny);
  Assumptions given;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (t % 5 != 4) {
      given.transaction_order.emplace_back(history.representative({t}).index,
                                           (t * 5 + history.op_count()) % 7 / 3);
    }
  }
  return EngineComparison(tiny, history, given, tally).run();
}

/// A list's elements may be nil, or the initial value of registers: the answers of the engines do
/// not depend on the names of elements. Returns the difference, or an empty text.
std::string depends_on_names_of_elements(const TinyHistory& tiny) {
  std::string wrong;
  const Ladders plain = ladders_of_engines(build(tiny), wrong);
  const Ladders odd = ladders_of_engines(build_with_odd_elements(tiny), wrong);
  for (std::size_t e = 0; e < plain.size() && wrong.empty(); ++e) {
    const auto [was, is] = std::ranges::mismatch(plain[e], odd[e], std::not_fn(contradict));
    if (was != plain[e].end()) {
      wrong = std::string(kEngines.at(e).second) + ": " + std::string(friendly_name(was->model)) +
              " depends on the names of elements";
    }
  }
  return wrong;
}

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
