#include "engine/check/check.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/memory_account.h"
#include "engine/levels/entailment.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/model_set.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

/// Registers whose writers did not commit as they completed.
const std::string kChangedPlaces = "; 7 wz1; 8 wz2 wu1; 9 rz1 ru1";

constexpr std::string_view kSkew = "0> rx_ ay1; 1> ry_ ax1; 0+ rx ay1; 1+ ry ax1; rx1 ry1";

/// Two transactions that overwrote one another on many keys.
std::string tangle() {
  std::string first;
  std::string second;
  std::string read;
  for (char key = 'a'; key <= 'z'; ++key) {
    const bool forward = (key - 'a') % 2 == 0;
    first += std::string(" a") + key + '1';
    second += std::string(" a") + key + '2';
    read += std::string(" r") + key + (forward ? "12" : "21");
  }
  return "+" + first + "; +" + second + "; +" + read;
}

TEST_CASE("check: nothing demanded is valid, anomalies may be demanded alone") {
  const History history = list_history(kSkew);
  CHECK(verdict_text(check(history, {})) == "valid");
  CHECK(verdict_text(check(history, {.anomalies = only(AnomalyType::kG2Item)})) ==
        "invalid G2-item");
  CHECK(verdict_text(check(history, {.anomalies = only(AnomalyType::kG0)})) == "valid");
}

TEST_CASE("check: a search without reachability decides the same, and says nothing of it") {
  const History history =
      register_history("0 wx1; 1 wx2; 2 wx1; 3 rx1; 3 rx2; 3 rx1" + kChangedPlaces);
  CheckOptions options = {.models = only(Model::kPl3)};
  const Result<Verdict> with = check(history, options);
  options.budget.reachability = 0;
  const Result<Verdict> without = check(history, options);
  REQUIRE(with.ok());
  REQUIRE(without.ok());
  CHECK(with.value().warnings.empty());
  CHECK(without.value().warnings.empty());
  CHECK(without.value().validity == with.value().validity);
}

TEST_CASE("check: the models ruled out are the weakest and those above them") {
  const Result<Verdict> result = check(list_history(kSkew), {.models = only(Model::kPlSs)});
  REQUIRE(result.ok());
  CHECK(result.value().checked == only(Model::kPlSs));
  CHECK(result.value().not_models == only(Model::kPl299));
  CHECK(result.value().also_not_models.test(Model::kPl3));
  CHECK_FALSE(result.value().also_not_models.test(Model::kPlSi));
}

TEST_CASE("check: a model that the engine asked for does not decide is refused, but not as Elle") {
  const History history = list_history("ax1");
  const CheckOptions options = {.models = only(Model::kCausal), .engine = Engine::kElle};
  const Result<Verdict> refused = check(history, options);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kUsage);
  CheckOptions as_elle = options;
  as_elle.assumptions.elle_compat = true;
  CHECK(check(history, as_elle).ok());
}

TEST_CASE("check: models that proscribe nothing of their own are violated by what others forbid") {
  const History history = list_history(kSkew);
  for (const Model model : {Model::kOneSr, Model::kViewSerializable, Model::kSequential,
                            Model::kSessionSerializable, Model::kLinearizable}) {
    INFO(friendly_name(model));
    CHECK(verdict_text(check(history, {.models = only(model)})) == "invalid G2-item");
  }
}

TEST_CASE("check: complete where every version has its place") {
  const auto complete = [](std::string_view text) {
    const Result<Verdict> result = check(list_history(text), {.models = only(Model::kPlSs)});
    return result.ok() && result.value().complete;
  };
  CHECK(complete("ax1; rx1 ax2"));
  CHECK(complete("ax1; rx"));  // a proof that it is invalid
  CHECK(complete("0> ax1; 1> ax2; 0+ ax1; 1+ ax2; rx12"));
  CHECK(complete("0> ax1; 1> ax2; 0+ ax1; 1+ ax2"));  // in whichever order
}

TEST_CASE("check: what serializability implies needs no order of events where that is inferred") {
  const History history = list_history("ax1; ax2; ax3; rx1");  // where 2 and 3 stand is open
  for (const Model model : {Model::kPlSi, Model::kPrefix, Model::kParallelSnapshotIsolation}) {
    const Result<Verdict> verdict = check(history, {.models = only(model)});
    CHECK(verdict_text(verdict) == "valid");
    CHECK(verdict.value().engine == "elle");
    CHECK(verdict.value().complete);
  }
}

TEST_CASE("check: what rc implies needs no inference where that holds") {
  for (const Model model : {Model::kPl2, Model::kStrongSessionPl2}) {
    const Result<Verdict> verdict =
        check(register_history("0 wx1; 1 wx2; 2 rx1 rx2"), {.models = only(model)});
    CHECK(verdict_text(verdict) == "valid");
    CHECK(verdict.value().engine == "saturation");
    REQUIRE(verdict.value().levels.size() == 1);
    CHECK(verdict.value().levels.front().model == Model::kRc);
  }
  // Having read from the second transaction, the third misses its write of x.
  const History torn = register_history("0 wx1; 0 wx2 wy2; 1 ry2 rx1");
  CHECK(verdict_text(check(torn, {.models = only(Model::kRc)})).starts_with("invalid"));
  CHECK(verdict_text(check(torn, {.models = only(Model::kPl2)})) == "valid");
}

TEST_CASE("check: a level that others decide asks only those that may settle it") {
  const Model model = Model::kParallelSnapshotIsolation;
  const Result<Verdict> verdict =
      check(register_history("0 wx1; 1 wx2; 2 rx1; 2 rx2"), {.models = only(model)});
  CHECK(verdict_text(verdict) == "valid");
  CHECK_FALSE(verdict.value().levels.empty());
  for (const LevelAnswer& level : verdict.value().levels) {
    INFO(friendly_name(level.model));
    CHECK((entailed(level.model).test(model) || entailing(level.model).test(model)));
  }
}

TEST_CASE("check: read uncommitted of lists counts what is left of their order") {
  const CheckOptions writes = {.models = only(Model::kPl1)};
  // Of two lists that are as long one has an element of a transaction that aborted.
  CHECK(verdict_text(check(list_history("0> ax1; 1> ax2; rx1; 0-; 1+; rx2"), writes)) == "valid");
  CHECK(verdict_text(check(list_history("ax1; ax2; ax3; rx12; rx21; rx123"), writes)) == "valid");
  // An aborted element stands between two writers, and at the end.
  const std::string_view between = "0> ax1 ay3; 1> ax2; 2> ax3 ay1; 0+ ax1 ay3; 1-; 2+ ax3 ay1; ";
  CHECK(verdict_text(check(list_history(std::string(between) + "rx123 ry13"), writes)) ==
        "invalid G0");
  CHECK(verdict_text(check(list_history(std::string(between) + "rx12 ry13"), writes)) ==
        "invalid G0");
  CHECK(verdict_text(check(list_history(std::string(between) + "rx123 ry31"), writes)) == "valid");
}

TEST_CASE("check: the solver completes what can be inferred of registers") {
  const auto complete = [](Engine engine) {
    const Result<Verdict> result =
        check(register_history("wx1; rx1"), {.models = only(Model::kPl3), .engine = engine});
    REQUIRE(result.ok());
    CHECK(result.value().validity == Validity::kValid);
    return result.value().complete;
  };
  CHECK(complete(Engine::kAuto));
  CHECK(complete(Engine::kSolver));
  CHECK_FALSE(complete(Engine::kElle));
}

TEST_CASE("check: assumptions about keys bind the solver") {
  const History history = register_history("0 wx1 wy1; 1 rx1 ry1; 0 wx2; 1 rx1");
  const auto validity = [&](Assumptions assumptions) {
    const Result<Verdict> result =
        check(history, {.models = only(Model::kPl3), .assumptions = std::move(assumptions)});
    REQUIRE(result.ok());
    return result.value().validity;
  };
  CHECK(validity({}) == Validity::kValid);
  CHECK(validity({.sequential_keys = true}) == Validity::kValid);
  CHECK(validity({.linearizable_keys = true}) != Validity::kValid);
}

TEST_CASE("check: evidence does not name a read that was never answered") {
  const History history = list_history("0? rx_ rx2 az1; 1 rz1 ax2");
  CHECK(verdict_text(check(history, {.models = only(Model::kPl3), .engine = Engine::kSolver})) ==
        "invalid G1c");
}

TEST_CASE("check: reads that only an aborted write or the reader's own future explain") {
  const CheckOptions lists = {.models = only(Model::kPl2)};
  CHECK(verdict_text(check(list_history("0- ax1; 1 ax3 rx1 ax1"), lists)) == "invalid G1a");
  const CheckOptions registers = {.models = only(Model::kPl2)};
  CHECK(verdict_text(check(register_history("0- wx1; 1 wx3 rx1 wx1"), registers)) == "invalid G1a");
}

TEST_CASE("check: who read after a reader of a version is named with what it read") {
  for (const char* text : {"0 wx1 wx1; 0 rx1; 0 rx_", "0 wx2; 0? wx3 wx3; 0 rx3; 0 rx2"}) {
    for (const bool in_sessions : {false, true}) {
      INFO(text << (in_sessions ? ", sequential" : ", linearizable"));
      const Result<Verdict> result = check(
          register_history(text),
          {.models = only(Model::kPl3),
           .assumptions = {.sequential_keys = in_sessions, .linearizable_keys = !in_sessions}});
      CHECK(verdict_text(result).starts_with("invalid G-single-item"));
    }
  }
}

TEST_CASE("check: completions without invocations know no real time, but to Elle") {
  HistoryBuilder builder;
  const MopInput write{.kind = OpKind::kAppend,
                       .key = builder.key(ValueId::integer(1)),
                       .value = ValueId::integer(1)};
  REQUIRE(builder.add_event({.type = EventType::kOk, .process = 0, .mops = {&write, 1}}).ok());
  const History history = std::move(builder).build({}).value();
  CheckOptions options = {.models = only(Model::kPlSs)};
  const Result<Verdict> verdict = check(history, options);
  CHECK(verdict_text(verdict) == "unknown");
  CHECK(verdict.value().unknown_because->find("real time") != std::string::npos);
  CHECK(verdict_text(check(history, {.models = only(Model::kPl3)})) == "valid");
  options.assumptions.elle_compat = true;
  const Result<Verdict> as_elle = check(history, options);
  CHECK(as_elle.value().unknown_because.value_or("").find("real time") == std::string::npos);
}

CheckOptions searched(Model model) {
  return {.models = only(model), .engine = Engine::kSearch};
}

TEST_CASE("check: a level that the engine asked for does not decide is refused") {
  const CheckOptions solver = {.models = only(Model::kPl2), .engine = Engine::kSolver};
  CHECK(check(list_history("ax1"), solver).error().kind == ErrorKind::kUsage);
  CHECK(check(list_history("ax1"), searched(Model::kPl2)).error().kind == ErrorKind::kUsage);
  const CheckOptions elle = {.models = only(Model::kPrefix), .engine = Engine::kElle};
  CHECK(check(list_history("ax1"), elle).error().kind == ErrorKind::kUsage);
}

TEST_CASE("check: the search answers with an order, or with how far it looked for one") {
  const History history = register_history("0 wx1; 1 wx2; 1 rx1; 2 rx1; 2 rx2");
  const Result<Verdict> valid = check(history, searched(Model::kPl3));
  REQUIRE(valid.ok());
  CHECK(valid.value().validity == Validity::kValid);
  CHECK(valid.value().complete);
  CHECK(valid.value().engine == "search");
  REQUIRE(valid.value().levels.size() == 1);
  CHECK(valid.value().levels.front().witness);

  const Result<Verdict> invalid = check(history, searched(Model::kStrongSessionSerializable));
  REQUIRE(invalid.ok());
  CHECK(invalid.value().validity == Validity::kInvalid);
  REQUIRE(invalid.value().anomalies.size() == 1);
  const Anomaly& anomaly = invalid.value().anomalies.front();
  CHECK(anomaly.type == AnomalyType::kStrongSessionSerializableCycleExists);
  REQUIRE(std::holds_alternative<NoOrderEvidence>(anomaly.evidence));
  CHECK(std::get<NoOrderEvidence>(anomaly.evidence).search.txns.size() == 5);
  REQUIRE(invalid.value().levels.size() == 1);
  CHECK(invalid.value().levels.front().failure);
  CHECK_FALSE(invalid.value().levels.front().refutation);
}

TEST_CASE("check: what a single read shows is not searched for") {
  const Result<Verdict> result =
      check(register_history("0 wx1; 1 rx2"), searched(Model::kStrongSessionSerializable));
  REQUIRE(result.ok());
  CHECK(result.value().validity == Validity::kInvalid);
  CHECK(result.value().levels.empty());
  CHECK(result.value().anomalies.front().type == AnomalyType::kGarbageRead);
}

TEST_CASE("check: the search makes no assumptions about the order of versions") {
  CheckOptions options = searched(Model::kPl3);
  options.assumptions.sequential_keys = true;
  const Result<Verdict> result = check(register_history("0 wx1; 1 rx1"), options);
  REQUIRE(result.ok());
  CHECK(result.value().validity == Validity::kUnknown);
  CHECK(result.value().unknown_because->find("assumptions") != std::string::npos);
}

TEST_CASE("check: a spent budget of the solver is unknown, with what was spent") {
  CheckOptions options = {.models = only(Model::kStrongSessionSerializable),
                          .has_budget = [] { return false; },
                          .spent_budget = "--timeout 1ms"};
  const History history = register_history("0 wx1 wy1; 1 rx1 wy2; 2 ry1 wx2");
  const Result<Verdict> spent = check(history, options);
  REQUIRE(spent.ok());
  CHECK(spent.value().validity == Validity::kUnknown);
  REQUIRE(spent.value().unknown_because);
  CHECK(spent.value().unknown_because->find("(--timeout 1ms)") != std::string::npos);
  options.has_budget = {};
  CHECK(check(history, options).value().validity == Validity::kInvalid);
  options.budget.solver_work = 1;
  const Result<Verdict> too_little_work = check(history, options);
  CHECK(too_little_work.value().validity == Validity::kUnknown);
  CHECK(too_little_work.value().unknown_because->find("(the solver's work)") != std::string::npos);
}

TEST_CASE("check: what stopped the inference is not why the solver gave up") {
  // Two transactions wrote 1, so that the inference learns nothing from its read.
  const History history = register_history("0 wx1; 1 wx1; 1 wx2; 2 rx2; 2 rx1" + kChangedPlaces);
  CheckOptions options = {.models = only(Model::kPl3), .budget = {.solver_work = 0}};
  const Result<Verdict> one = check(history, options);
  REQUIRE(one.ok());
  CHECK(one.value().validity == Validity::kUnknown);
  CHECK_FALSE(one.value().elle_error);
  REQUIRE(one.value().unknown_because);
  CHECK(one.value().unknown_because->find("(the solver's work)") != std::string::npos);
  CHECK(one.value().unknown_because->find("serializable: ") == std::string::npos);

  options.models |= only(Model::kStrongSessionSnapshotIsolation);
  const Result<Verdict> two = check(history, options);
  REQUIRE(two.ok());
  REQUIRE(two.value().unknown_because);
  for (const char* level :
       {"serializable: the budget", "strong-session-snapshot-isolation: the b"}) {
    INFO(*two.value().unknown_because);
    CHECK(two.value().unknown_because->find(level) != std::string::npos);
  }
  options.engine = Engine::kElle;
  options.models = only(Model::kPl2Plus);
  CHECK(check(history, options).value().elle_error);
}

TEST_CASE("check: where memory runs out the verdict is unknown, and says where that was") {
  CheckOptions options = {.models = only(Model::kPl3)};
  const auto runs_out_while = [&](std::string_view stage) {
    options.progress = [=](std::string_view now) {
      if (now == stage) {
        throw std::bad_alloc();
      }
      return true;
    };
    // A value that is written twice, so that no order in real time answers sooner.
    const Result<Verdict> result = check(register_history("0 wx1; 2 wx1; 1 rx1"), options);
    REQUIRE(result.ok());
    CHECK(result.value().validity == Validity::kUnknown);
    CHECK(result.value().checked == options.models);
    CHECK(result.value().unknown_because->find(stage) != std::string::npos);
    return result.value().engine;
  };
  CHECK(runs_out_while("inferring dependencies") == "elle");
  CHECK(runs_out_while("searching for an order") == "solver");
  options.engine = Engine::kSearch;
  CHECK(runs_out_while("searching for an order") == "search");
}

TEST_CASE("check: what was decided before memory ran out is told") {
  const MemoryLimit limit(MemoryLimit::kNone - 1);
  bool is_searching = false;
  CheckOptions options = {.models = ModelSet::all(), .each_model = true};
  options.progress = [&](std::string_view stage) {
    is_searching = stage == "searching for an order";
    return true;
  };
  options.has_budget = [&] {
    if (is_searching) {
      throw std::bad_alloc();
    }
    return true;
  };
  options.spent_budget = "--memory 1M";
  const Result<Verdict> result =
      check(register_history("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1"), options);
  REQUIRE(result.ok());
  CHECK(std::ranges::any_of(result.value().ladder, [](const Standing& standing) {
    return standing.validity == Validity::kInvalid;
  }));
  CHECK(result.value().unknown_because.value_or("the budget").find("the budget") !=
        std::string::npos);
}

TEST_CASE("check: operations of another workload are not understood") {
  TinyHistory lists = parse_tiny(Workload::kRwRegister, "wx1");
  lists.model = Workload::kListAppend;
  const Result<Verdict> result = check(build(lists), {.models = only(Model::kPl3)});
  REQUIRE(result.ok());
  CHECK(result.value().validity == Validity::kUnknown);
  REQUIRE(result.value().elle_error);
  CHECK(result.value().elle_error == result.value().unknown_because);
}

TEST_CASE("check: progress is told and can stop the check") {
  std::vector<std::string> stages;
  CheckOptions options{.models = only(Model::kPl3)};
  options.progress = [&](std::string_view stage) {
    stages.emplace_back(stage);
    return true;
  };
  const History history = list_history(kSkew);
  REQUIRE(check(history, options).ok());
  CHECK(stages.size() >= 3);
  for (std::size_t last = 0; last < stages.size(); ++last) {
    std::size_t calls = 0;
    options.progress = [&](std::string_view) { return calls++ < last; };
    const Result<Verdict> stopped = check(history, options);
    INFO("stopped in " << stages[last]);
    REQUIRE_FALSE(stopped.ok());
    CHECK(stopped.error().kind == ErrorKind::kUsage);
  }
}

TEST_CASE("check: without budget violations are still found") {
  const History history = list_history(tangle());
  for (const bool elle_compat : {false, true}) {
    CheckOptions options{.models = only(Model::kPl3), .budget = {.edge_visits = 0}};
    options.assumptions.elle_compat = elle_compat;
    const Result<Verdict> result = check(history, options);
    REQUIRE(result.ok());
    CHECK(result.value().validity == Validity::kInvalid);
  }
}

TEST_CASE("check: the same answer again and again") {
  const History history = list_history("rx1 ay1; ry1 ax1; rx1 ry; rx ry1 ax2; rx12");
  const CheckOptions options{.models = only(Model::kPlSs)};
  const std::string once = verdict_text(check(history, options));
  for (int i = 0; i < 5; ++i) {
    CHECK(verdict_text(check(history, options)) == once);
  }
}

TEST_CASE("check: components are kept on request, with a step for every edge") {
  CheckOptions options{.models = only(Model::kPl3)};
  const History history = list_history("ax1 ry1; ay1 rx1; az1; rz1");
  const Result<Verdict> without = check(history, options);
  REQUIRE(without.ok());
  CHECK(without.value().components.empty());
  options.keep_components = true;
  const Result<Verdict> with = check(history, options);
  REQUIRE(with.ok());
  REQUIRE(with.value().components.size() == 1);
  CHECK(with.value().components[0].txns == std::vector<TxnId>{{0}, {1}});
  CHECK(with.value().components[0].edges.size() == 2);
}

TEST_CASE("check: cycles come with the operations that force each step") {
  const Result<Verdict> result =
      check(list_history("ax1 ay1; rx1 ry"), {.models = only(Model::kPl3)});
  REQUIRE(result.ok());
  REQUIRE(result.value().anomalies.size() == 1);
  const auto& steps = std::get<CycleEvidence>(result.value().anomalies[0].evidence).steps;
  REQUIRE(steps.size() == 2);
  for (const Step& step : steps) {
    CHECK(step.from_mop >= 0);
    CHECK(step.to_mop >= 0);
    CHECK(step.relation == (step.from == TxnId{0} ? Relation::kWr : Relation::kRw));
  }
}

/// By anomaly, the number of transactions of its cycle.
std::map<std::string, std::size_t> cycle_lengths(std::string_view text, Model model) {
  const Result<Verdict> result = check(list_history(text), {.models = only(model)});
  std::map<std::string, std::size_t> lengths;
  for (const Anomaly& anomaly : result.ok() ? result.value().anomalies : std::vector<Anomaly>()) {
    lengths.emplace(name(anomaly.type), std::get<CycleEvidence>(anomaly.evidence).steps.size());
  }
  return lengths;
}

TEST_CASE("check: real time counts between any two transactions, sessions likewise") {
  using Lengths = std::map<std::string, std::size_t>;
  CHECK(cycle_lengths("ax1; ay1; rx", Model::kPlSs) == Lengths{{"G-single-item-realtime", 2}});
  CHECK(cycle_lengths("0+ ax1; 0+ ay1; 0+ rx", Model::kStrongSessionSerializable) ==
        Lengths{{"G-single-item-process", 2}});
}

TEST_CASE("check: a shorter cycle is shown beside one that says more") {
  using Lengths = std::map<std::string, std::size_t>;
  CHECK(cycle_lengths("ax1; rx1 ay1; rx ry1", Model::kPl3) == Lengths{{"G-single-item", 3}});
  CHECK(cycle_lengths("ax1; rx1 ay1; rx ry1", Model::kPlSs) ==
        Lengths{{"G-single-item", 3}, {"G-single-item-realtime", 2}});
}

/// Each session writes the key, if it is a `chain` after a read of it. Then it reads the initial
/// value: each pair of sessions has an anti-dependency.
History all_against_all(bool chain) {
  constexpr std::int64_t kSessions = 2100;
  HistoryBuilder builder;
  const KeyId key = builder.key(ValueId::integer(0));
  for (std::int64_t s = 0; s < kSessions; ++s) {
    const ValueId before = s == 0 ? ValueId::nil() : ValueId::integer(s);
    const MopInput write = {OpKind::kWrite, key, ValueId::integer(s + 1)};
    const std::vector<MopInput> writes =
        chain ? std::vector<MopInput>{{OpKind::kRead, key, before}, write}
              : std::vector<MopInput>{write};
    const std::vector<MopInput> read = {{OpKind::kRead, key, ValueId::nil()}};
    REQUIRE(builder.add_transaction({.session = s, .mops = writes}));
    REQUIRE(builder.add_transaction({.session = s, .mops = read}));
  }
  Result<History> built = std::move(builder).build({});
  REQUIRE(built);
  return std::move(built).value();
}

TEST_CASE("check: where anti-dependencies are too many, what is not looked at is not denied") {
  for (const bool chain : {false, true}) {
    const History history = all_against_all(chain);
    CheckOptions options = {.models = only(Model::kStrongSessionSerializable)};
    const Result<Verdict> verdict = check(history, options);
    REQUIRE(verdict.ok());
    CHECK(verdict.value().validity == Validity::kInvalid);
    CHECK(verdict.value().anomalies.size() == 1);
    options.engine = Engine::kElle;
    const Result<Verdict> inferred = check(history, options);
    REQUIRE(inferred.ok());
    CHECK(inferred.value().validity == Validity::kUnknown);
  }
}

}  // namespace
}  // namespace elapid
