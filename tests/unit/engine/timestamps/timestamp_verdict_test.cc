// Verdicts of the engine: names, levels, refusals, evidence that is forged.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/certify/anomalies/timestamp_violation.h"
#include "engine/check/check.h"
#include "tests/support/timed_history.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

CheckOptions options(std::string_view model) {
  CheckOptions options = {.engine = Engine::kTimestamps};
  options.models.set(*find_model(model));
  return options;
}

Result<Verdict> verdict(std::string_view timed, const CheckOptions& how) {
  return check(build(parse_timed(Workload::kRwRegister, timed)), how);
}

std::string answer(std::string_view timed,
                   std::string_view model = "strong-session-snapshot-isolation") {
  return verdict_text(verdict(timed, options(model)));
}

bool rules_out(const Verdict& verdict, std::string_view model) {
  return (verdict.not_models | verdict.also_not_models).test(*find_model(model));
}

TEST_CASE("timestamp verdicts: Elle's names where they fit") {
  CHECK(answer("1-2 0 wx1; 3-4 1 rx1") == "valid");
  CHECK(answer("1-2 0 wx1 rx_") == "invalid internal");
  CHECK(answer("1-2 0- wx1; 3-4 1 rx1") == "invalid G1a");
  CHECK(answer("1-2 0 wx1 wx2; 3-4 1 rx1") == "invalid G1b");
  CHECK(answer("3-4 1 rx1") == "invalid garbage-read");
  CHECK(answer("3-4 1 rx1 wx1") == "invalid future-read");
  CHECK(answer("1-2 0 wx1; 3-4 0 wx2; 5-6 1 rx1") == "invalid GSIb");
  CHECK(answer("1-2 0 wx1; 3-4 0 wx2 wy1; 5-6 1 ry1 rx1") == "invalid G-single-item");
  CHECK(answer("5-6 0 wx1; 3-4 1 rx1") == "invalid GSIa");
  CHECK(answer("1-5 0 wx1; 4-8 1 wx2") == "invalid GSIa");
  CHECK(answer("1-5 0 rx_ wx1; 4-8 1 rx_ wx2") == "invalid lost-update");
  CHECK(answer("1-5 0 wx1; 4-6 0 wy1") == "invalid strong-session-snapshot-isolation-cycle-exists");
  CHECK(answer("5-2 0 wx1") == "invalid PL-SI-cycle-exists");
}

TEST_CASE("timestamp verdicts: each level judges what it demands") {
  constexpr std::string_view kSession = "1-5 0 wx1; 4-6 0 wy1";
  CHECK(answer(kSession, "snapshot-isolation") == "valid");
  CHECK(answer(kSession, "serializable") == "valid");
  CHECK(answer("1-7 0 wx1; 4-6 0 wy1", "strong-session-serializable") ==
        "invalid strong-session-serializable-cycle-exists");
  constexpr std::string_view kSkew = "1-2 0 wx1 wy1; 3-6 1 rx1 wy2; 4-7 2 ry1 wx2";
  CHECK(answer(kSkew, "snapshot-isolation") == "valid");
  CHECK(answer(kSkew, "serializable") == "invalid PL-3-cycle-exists");
  CHECK(answer("1-5 0 wx1; 4-8 1 wx2", "serializable") == "valid");
}

TEST_CASE("timestamp verdicts: what is ruled out stays where reads take place alike") {
  const Verdict broken = verdict("1-5 0 wx1; 4-8 1 wx2", options("snapshot-isolation")).value();
  CHECK(rules_out(broken, "snapshot-isolation"));
  CHECK(rules_out(broken, "strong-session-snapshot-isolation"));
  CHECK_FALSE(rules_out(broken, "serializable"));
  const Verdict session =
      verdict("1-5 0 wx1; 4-6 0 wy1", options("strong-session-snapshot-isolation")).value();
  CHECK_FALSE(rules_out(session, "snapshot-isolation"));
  CHECK(rules_out(session, "strong-snapshot-isolation"));
  const Verdict aborted = verdict("1-2 0- wx1; 3-4 1 rx1", options("snapshot-isolation")).value();
  CHECK(rules_out(aborted, "read-committed"));
}

TEST_CASE("timestamp verdicts: both ways of reading at once") {
  CheckOptions both = options("snapshot-isolation");
  both.models |= options("serializable").models;
  const Verdict found = verdict("5-2 0 wx1 rx_; 6-8 1 rx_", both).value();
  CHECK(verdict_text(found) == "invalid GSIb PL-3-cycle-exists PL-SI-cycle-exists internal");
  CHECK(found.anomalies.size() == 4);  // internal and the late start once
  CHECK(found.timestamps->by_axiom == std::array<std::uint64_t, 6>{1, 2, 0, 0, 0, 1});
}

TEST_CASE("timestamp verdicts: real time") {
  TimedHistory timed = parse_timed(Workload::kRwRegister, "3-4 0 wx1; 1-2 1 wy1");
  timed.txns[0].real_time = {{10, 20}};
  timed.txns[1].real_time = {{30, 40}};
  const auto judged = [&](std::string_view model) {
    return verdict_text(check(build(timed), options(model)));
  };
  CHECK(judged("strong-session-snapshot-isolation") == "valid");
  CHECK(judged("strong-snapshot-isolation") == "invalid strong-snapshot-isolation-cycle-exists");
  CHECK(judged("strict-serializable") == "invalid PL-SS-cycle-exists");
  timed.txns[1].real_time = {{15, 40}};
  CHECK(judged("strict-serializable") == "valid");
  CHECK(answer("3-4 0 wx1", "strict-serializable") == "unknown");  // knows no real time
  CHECK(answer("3-4 0 wx1; 5-6 0 rx_", "strict-serializable") == "invalid PL-3-cycle-exists");
}

TEST_CASE("timestamp verdicts: violations that clocks may explain decide nothing") {
  CheckOptions how = options("strong-session-snapshot-isolation");
  how.clock_skew = 1;
  CHECK(verdict_text(verdict("1-5 0 wx1; 4-6 0 wy1", how)) ==
        "unknown strong-session-snapshot-isolation-cycle-exists");
  const Verdict found = verdict("1-5 0 wx1; 4-6 0 wy1; 7-8 1 rx_", how).value();
  CHECK(found.validity == Validity::kInvalid);
  CHECK(found.timestamps->within_clock_skew == 1);
  CHECK(rules_out(found, "snapshot-isolation"));
}

TEST_CASE("timestamp verdicts: doubts") {
  CHECK(answer("1-_ 0 wx1; 5-6 1 rx1") == "unknown");
  CHECK(answer("1-_ 0 wx1; 5-6 1 rx9") == "invalid garbage-read");
  CHECK(answer("1-2 0- wx1") == "unknown empty-transaction-graph");
}

TEST_CASE("timestamp verdicts: refusals") {
  const auto refused = [](std::string_view timed, CheckOptions how) {
    const Result<Verdict> answered = verdict(timed, how);
    return !answered.ok() && answered.error().kind == ErrorKind::kUsage;
  };
  CHECK(refused("1-2 0 wx1", options("causal")));
  CHECK(refused("1-2 0 wx1", options("prefix")));
  CHECK(refused("_-_ 0 wx1", options("snapshot-isolation")));
  CheckOptions how = options("snapshot-isolation");
  how.models = {};
  CHECK(refused("1-2 0 wx1", how));
  how = options("snapshot-isolation");
  how.assumptions.wfr_keys = true;
  CHECK(refused("1-2 0 wx1", how));
  how = options("snapshot-isolation");
  how.anomalies.set(AnomalyType::kG1a);
  CHECK(refused("1-2 0 wx1", how));
}

TEST_CASE("timestamp verdicts: the solver tells whether the timestamps are at fault") {
  CheckOptions how = options("snapshot-isolation");
  how.cross_check = true;
  CHECK(verdict("1-2 0 wx1; 3-4 1 rx1", how).value().cross_check == std::nullopt);
  CHECK(verdict("1-2 0 wx1; 3-4 0 wx2; 5-6 1 rx1", how).value().cross_check == Validity::kValid);
  CHECK(verdict("1-5 0 rx_ wx1; 4-8 1 rx_ wx2", how).value().cross_check == Validity::kInvalid);
}

TEST_CASE("timestamp verdicts: a valid answer has a proof") {
  CheckOptions how = options("strong-session-snapshot-isolation");
  how.needs_order = true;
  const Verdict valid = verdict("1-2 0 wx1; 3-4 1 rx1", how).value();
  REQUIRE(valid.levels.size() == 1);
  CHECK(valid.levels[0].witness->order.size() == 4);
  CHECK(valid.complete);
}

TEST_CASE("timestamp verdicts: forged evidence is found out") {
  const auto is_flawed = [](std::string_view timed, auto forge) {
    const History history = build(parse_timed(Workload::kRwRegister, timed));
    const Verdict found = check(history, options("strong-session-snapshot-isolation")).value();
    TimestampEvidence evidence = std::get<TimestampEvidence>(found.anomalies.front().evidence);
    REQUIRE_FALSE(check_timestamp_violation(history, evidence));
    forge(evidence);
    return check_timestamp_violation(history, evidence).has_value();
  };
  constexpr std::string_view kStale = "1-2 0 wx1; 3-4 0 wx2; 5-6 1 rx1";
  CHECK(is_flawed(kStale, [](auto& e) { e.txn = {0}; }));
  CHECK(is_flawed(kStale, [](auto& e) { e.txn = {9}; }));
  CHECK(is_flawed(kStale, [](auto& e) { e.mop = 1; }));
  CHECK(is_flawed(kStale, [](auto& e) { e.expected.scalar = ValueId::integer(1); }));
  CHECK(is_flawed(kStale, [](auto& e) { e.expected_writer = TxnId::none(); }));
  CHECK(is_flawed(kStale, [](auto& e) { e.expected_writer = {0}; }));
  CHECK(is_flawed(kStale, [](auto& e) { e.other = {1}; }));
  CHECK(is_flawed(kStale, [](auto& e) { e.origin = ReadOrigin::kAfter; }));
  CHECK(is_flawed(kStale, [](auto& e) { e.axiom = TimestampAxiom::kInt; }));
  CHECK(is_flawed(kStale, [](auto& e) { e.axiom = TimestampAxiom::kSession; }));
  CHECK(is_flawed(kStale, [](auto& e) { e.axiom = TimestampAxiom::kStartFirst; }));
  constexpr std::string_view kConflict = "1-5 0 wx1; 4-8 1 wx2; 9-9 1 rx2; 9-10 0 wx3";
  CHECK(is_flawed(kConflict, [](auto& e) { e.other = e.txn; }));
  CHECK(is_flawed(kConflict, [](auto& e) { e.txn = {2}; }));
  CHECK(is_flawed(kConflict, [](auto& e) { e.txn = {3}; }));
  constexpr std::string_view kSession = "1-5 0 wx1; 4-6 0 wy1; 2-3 1 wz1";
  CHECK(is_flawed(kSession, [](auto& e) { std::swap(e.txn, e.other); }));
  CHECK(is_flawed(kSession, [](auto& e) { e.txn = {2}; }));
  CHECK(is_flawed(kSession, [](auto& e) { e.axiom = TimestampAxiom::kRealTime; }));
  constexpr std::string_view kInternal = "1-2 0 wx1 rx_ wx2";
  CHECK(is_flawed(kInternal, [](auto& e) { e.expected.scalar = ValueId::integer(2); }));
  CHECK(is_flawed(kInternal, [](auto& e) { e.mop = 2; }));
  CHECK(is_flawed(kInternal, [](auto& e) { e.axiom = TimestampAxiom::kExt; }));
}

TEST_CASE("timestamp verdicts: no violation that writes without a commit timestamp may explain") {
  const auto is_flawed = [](Workload model, std::string_view timed, ExpectedRead expected) {
    const History history = build(parse_timed(model, timed));
    const auto count = static_cast<std::uint32_t>(history.txn_count());
    const TxnId reader = {count - 1};
    const TimestampEvidence evidence = {.axiom = TimestampAxiom::kExt,
                                        .txn = reader,
                                        .key = history.ops(reader).front().key(),
                                        .expected = std::move(expected),
                                        .expected_writer = {count - 2}};
    REQUIRE_FALSE(check_timestamp_violation(history, evidence));
    return certify::check_timestamp_violation(history, certify::Writers(history), evidence)
        .has_value();
  };
  const ExpectedRead list = {.kind = ExpectedRead::Kind::kList,
                             .elements = {ValueId::integer(1), ValueId::integer(7)}};
  const auto is_flawed_list = [&](std::string_view shown) {
    return is_flawed(Workload::kListAppend,
                     "1-_ 0? ax7; 3-4 1 ax1; 5-6 2 ax7; 7-8 3 rx" + std::string(shown), list);
  };
  CHECK(is_flawed_list("717"));
  CHECK(is_flawed_list("177"));
  CHECK_FALSE(is_flawed_list("71"));
  CHECK_FALSE(is_flawed_list("7179"));
  const ExpectedRead value = {.scalar = ValueId::integer(1)};
  CHECK(is_flawed(Workload::kRwRegister, "1-_ 0? wx7; 3-4 1 wx1; 7-8 3 rx7", value));
  CHECK_FALSE(is_flawed(Workload::kRwRegister, "1-_ 0? wx6; 3-4 1 wx1; 7-8 3 rx7", value));
}

}  // namespace
}  // namespace elapid
