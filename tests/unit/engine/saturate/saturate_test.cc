// Histories of the literature at the saturable levels, and the smallest that tell two levels apart.
#include "engine/saturate/saturate.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/certify/certify.h"
#include "engine/ir/history_builder.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/sample_size.h"
#include "tests/support/saturable_levels.h"

namespace elapid {
namespace {

/// The answer, whose evidence must hold.
SolveResult saturated(const History& history, OrderLevel level) {
  SolveResult result = saturate(history, {.level = level});
  INFO(saturable_text(level));
  if (result.witness) {
    CHECK(check_evidence(history, level, *result.witness).value_or("") == "");
  }
  if (result.refutation) {
    CHECK(check_evidence(history, level, *result.refutation).value_or("") == "");
  }
  return result;
}

/// The levels that do not hold, without those that have no name of their own; unknown ones begin
/// with `!`.
std::string violated_weak(const History& history) {
  std::string out;
  for (const OrderLevel level : kSaturableLevels) {
    const Validity validity = saturated(history, level).validity;
    if (validity != Validity::kValid) {
      out += out.empty() ? "" : ", ";
      out += validity == Validity::kUnknown ? "!" : "";
      out += saturable_text(level);
    }
  }
  return out;
}

std::string violated_weak(std::string_view text) {
  return violated_weak(register_history(text));
}

TEST_CASE("saturate: what stronger levels forbid is allowed") {
  CHECK(violated_weak("") == "");
  CHECK(violated_weak("0 wx1; 0 rx1 wy1; 1 ry1 rx1") == "");
  CHECK(violated_weak("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2") == "");  // lost update
  CHECK(violated_weak("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1") == "");  // write skew
  CHECK(violated_weak("0 wx1; 1 wy1; 2 rx1 ry_; 3 ry1 rx_") == "");              // long fork
}

TEST_CASE("saturate: an effect without its cause is not causal") {
  CHECK(violated_weak("0 wx1; 1 rx1 wy1; 2 ry1; 2 rx_") == "causal with sessions");
  CHECK(violated_weak("0 wx1; 1 rx1 wy1; 2 ry1 rx_") ==
        "causal with sessions, causal, writes-follow-reads with sessions");
}

TEST_CASE("saturate: half of a transaction is not atomic") {
  // The second read could have come before the first.
  CHECK(violated_weak("0 wx1 wy1; 1 rx_ ry1") ==
        "causal with sessions, causal, read-atomic with sessions, read-atomic");
  CHECK(violated_weak("0 wx1 wy1; 1 ry1 rx_") ==
        "causal with sessions, causal, read-atomic with sessions, read-atomic, read-committed with "
        "sessions, read-committed");
}

TEST_CASE("saturate: reads of one key that differ go with read committed only in one direction") {
  CHECK(violated_weak("0 wx1; 0 wx2; 1 rx1 rx2") ==
        "causal with sessions, causal, read-atomic with sessions, read-atomic");
  CHECK(violated_weak("0 wx1; 0 wx2; 1 rx2 rx1") ==
        "causal with sessions, causal, read-atomic with sessions, read-atomic, read-committed with "
        "sessions");
}

TEST_CASE("saturate: each session guarantee has its history") {
  CHECK(violated_weak("0 wx1; 0 rx_") ==
        "causal with sessions, read-atomic with sessions, PRAM with sessions, read-your-writes "
        "with sessions");
  CHECK(violated_weak("0 wx1; 1 rx1; 1 rx_") ==
        "causal with sessions, PRAM with sessions, monotonic-reads with sessions");
  CHECK(violated_weak("0 wx1; 0 wy1; 1 ry1 rx_") ==
        "causal with sessions, PRAM with sessions, monotonic-writes with sessions");
}

TEST_CASE("saturate: two sessions that see two writers in opposite orders") {
  CHECK(violated_weak("0 wx1; 1 wx2; 2 rx1; 2 rx2; 3 rx2; 3 rx1") ==
        "causal with sessions, PRAM with sessions, monotonic-reads with sessions");
}

TEST_CASE("saturate: a circle of reads is no execution") {
  CHECK(violated_weak("0> rx1 wy1; 1> ry1 wx1; 0+ rx1 wy1; 1+ ry1 wx1").find("nothing") !=
        std::string::npos);
}

TEST_CASE("saturate: the writers of repeated values are chosen, never the last one taken") {
  CHECK(violated_weak("0 wx1; 1 wx1 wy1; 2 rx1 ry_") == "");  // it saw session 0's
  CHECK(violated_weak("0 wx1 wy1; 1 wx1 wy1; 2 rx1 ry_") ==
        "causal with sessions, causal, read-atomic with sessions, read-atomic, read-committed with "
        "sessions, read-committed");
}

TEST_CASE("saturate: an indeterminate transaction took effect if a reader must have seen it") {
  CHECK(violated_weak("0? wx1 wy1; 1 rx1 ry_") ==
        "causal with sessions, causal, read-atomic with sessions, read-atomic, read-committed with "
        "sessions, read-committed");
  CHECK(violated_weak("0? wx1 wy1; 1 wx1; 2 rx1 ry_") == "");
}

TEST_CASE("saturate: single reads that nothing can have shown are violations of their own") {
  const auto first_anomaly = [](std::string_view text) {
    const SolveResult result =
        saturated(register_history(text), {Visibility::kReadCommitted, true, false});
    return result.anomalies.empty() ? std::string() : std::string(name(result.anomalies[0].type));
  };
  CHECK(first_anomaly("0- wx1; 1 rx1") == "G1a");
  CHECK(first_anomaly("0 wx1 wx2; 1 rx1") == "G1b");
  CHECK(first_anomaly("0 rx7") == "garbage-read");
  CHECK(first_anomaly("0 rx1 wx1") == "future-read");
  CHECK(first_anomaly("0 wx1 rx_") == "internal");
}

TEST_CASE("saturate: a read that need not show own writes must still show a possible value") {
  const auto first_anomaly = [](const History& history) {
    const SolveResult result = saturated(history, {Visibility::kNothing, false, false});
    return result.anomalies.empty() ? std::string() : std::string(name(result.anomalies[0].type));
  };
  const auto of_register = [&](std::string_view text) {
    return first_anomaly(register_history(text));
  };
  CHECK(of_register("0 wx3 rx1 wx1; 1- wx1") == "G1a");
  CHECK(of_register("0 wx3 rx1; 1- wx1; 1- wx1") == "G1a");
  CHECK(of_register("0 wx3 rx1; 1 wx1 wx2; 2 wx1 wx4") == "G1b");
  CHECK(of_register("0 wx3 rx1 wx1") == "future-read");
  CHECK(of_register("0 wx3 rx7") == "garbage-read");
  CHECK(of_register("0 wx3 rx_") == "");
  CHECK(of_register("0 wx1 wx3 rx1") == "");
  CHECK(of_register("0 wx3 rx1 wx1; 1? wx1") == "");
  const auto of_list = [&](std::string_view text) { return first_anomaly(list_history(text)); };
  CHECK(of_list("0 ax3 rx1 ax1; 1- ax1") == "G1a");
  CHECK(of_list("0 ax3 rx1 ax1") == "future-read");
  CHECK(of_list("0 ax3 rx1; 1 ax1 ax2") == "G1b");
  CHECK(of_list("0 ax3 rx12; 1 ax1 ax2") == "");
}

TEST_CASE("saturate: lists bring the order of their versions along") {
  CHECK(violated_weak(list_history("0 ax1; 0 ay1; 1 ry1 rx")) ==
        "causal with sessions, PRAM with sessions, monotonic-writes with sessions");
  CHECK(violated_weak(list_history("0> ax1; 1> ax2; 0+ ax1; 1+ ax2; 2 rx21; 3 rx21")) == "");
}

TEST_CASE("saturate: very many sessions, a very long one, and sessions of nothing") {
  std::string many;
  std::string one;
  for (int i = 0; i < 400; ++i) {
    many += std::to_string(i) + " wx" + std::to_string(i % 9 + 1) + "; ";
    one += "0 wx" + std::to_string(i % 9 + 1) + "; ";
  }
  CHECK(violated_weak(many) == "");
  CHECK(violated_weak(one) == "");
  CHECK(violated_weak("0 ; 1 ; 0 wx1; 1 ; 2 rx1") == "");
}

TEST_CASE("saturate: independent violations are all proved, each by itself") {
  const OrderLevel rc = {Visibility::kReadCommitted, true, false};
  const History history =
      register_history("0 wx1; 0 wx2 wy2; 1 ry2 rx1; 2 wa1; 2 wa2 wb2; 3 rb2 ra1; 4 wc1; 5 rc1");
  SolveResult result = saturated(history, rc);
  REQUIRE(result.refutation);
  CHECK(result.violations == 2);
  std::vector<ProofStep>& steps = result.refutation->steps;
  REQUIRE(steps.size() == 4);
  CHECK(steps[1].clause.empty());
  CHECK(steps[3].clause.empty());
  // What the first violation proves is no excuse for the second.
  steps[2].cycle.front().key = steps[0].cycle.front().key;
  CHECK(check_evidence(history, rc, *result.refutation).value_or("").starts_with("step 3"));
}

TEST_CASE("saturate: reads of the initial state in spite of visible writes are counted by writer") {
  const OrderLevel causal = {Visibility::kCausal, true, false};
  const SolveResult result =
      saturated(register_history("0 wx1; 0 rx_; 1 wy1; 1 ry_; 2 wz1; 2 rz1"), causal);
  CHECK(result.violations == 2);
}

TEST_CASE("saturate: an order is found though the history's own is none") {
  // Writers come later in the history than their readers, and so do the causes of their writes.
  CHECK(violated_weak(
            "0> rx3 ry2; 1> wy2 rx3; 0+ rx3 ry2; 1+ wy2 rx3; 2> wx2; 2+ wx2; 2> wx3; 2+ wx3") ==
        "nothing with sessions and real time");
  CHECK(violated_weak("0 wx1; 1> rx1 wy1; 2> ry1 wx2; 2+ ry1 wx2; 1+ rx1 wy1; 3 rx2; 4 ry1 rx2") ==
        "");
}

enum class Log { kInTurns, kBySession };

/// 20 sessions, one transaction after the other: each reads one of ten keys and writes another one,
/// with three values. Each tenth read is of the previous value. Other writes of that value make it
/// causally consistent.
History few_values(std::uint32_t count, Log log) {
  std::mt19937 random(count);
  std::vector<std::array<std::int64_t, 2>> store(10, {0, 0});  // the last two values
  std::vector<std::pair<std::int64_t, std::vector<MopInput>>> txns;
  for (std::uint32_t i = 0; i < count; ++i) {
    const KeyId read{static_cast<std::uint32_t>(random() % 10)};
    const KeyId written{static_cast<std::uint32_t>((read.value + 1 + random() % 9) % 10)};
    const std::int64_t seen = store[read.index()].at(random() % 10 == 0 ? 1 : 0);
    const std::int64_t value = 1 + static_cast<std::int64_t>(random() % 3);
    store[written.index()] = {value, store[written.index()][0]};
    txns.emplace_back(i % 20,
                      std::vector<MopInput>{{OpKind::kRead, read, ValueId::integer(seen)},
                                            {OpKind::kWrite, written, ValueId::integer(value)}});
  }
  if (log == Log::kBySession) {
    std::ranges::stable_sort(txns, {}, [](const auto& txn) { return txn.first; });
  }
  HistoryBuilder builder;
  for (std::int64_t key = 0; key < 10; ++key) {
    builder.key(ValueId::integer(key));
  }
  for (const auto& [session, mops] : txns) {
    REQUIRE(builder.add_transaction({.session = session, .mops = mops}));
  }
  Result<History> built = std::move(builder).build({.initial = ValueId::integer(0)});
  REQUIRE(built);
  return std::move(built).value();
}

TEST_CASE("saturate: where values repeat all over, writers are guessed well enough") {
  for (const Log log : {Log::kInTurns, Log::kBySession}) {
    const History history = few_values(static_cast<std::uint32_t>(round_count(2'000, 2'000)), log);
    for (const OrderLevel level : kSaturableLevels) {
      if (!level.real_time) {
        const SolveResult result = saturated(history, level);
        INFO(saturable_text(level));
        CHECK(result.validity == Validity::kValid);
        CHECK(result.statistics.choices == 0);
      }
    }
  }
}

TEST_CASE("saturate: writers are guessed where PRAM holds and causality does not") {
  // Session 2 sees y = 1 and not its cause. Session 6 can have seen z = 1 last by the last writer.
  const SolveResult result = saturated(
      register_history("0 wx1; 4 wz1; 1 rx1 wy1; 4 wz2; 2 ry1; 6 rz2; 2 rx_; 6 rz1; 2 rz1; 7 wz1"),
      {Visibility::kPram, true, false});
  CHECK(result.validity == Validity::kValid);
  CHECK(result.statistics.choices == 0);
}

TEST_CASE("saturate: a violation for every choice of writers needs no choice") {
  const OrderLevel causal = {Visibility::kCausal, true, false};
  const SolveResult result =
      saturated(register_history("0 wz1; 1 wz1; 2 rz1; 3 wx1; 3 wx2 wy1; 4 ry1 rx1"), causal);
  CHECK(result.validity == Validity::kInvalid);
  CHECK(result.statistics.choices == 0);
}

TEST_CASE(
    "saturate: where every transaction that is left waits for another, none can be the first") {
  // Each session reads a value that the others write later.
  const History ring =
      register_history("0 rx1; 0 wy1 wz1; 1 ry1; 1 wx1 wz1; 2 rz1; 2 wx1 wy1; 3 wa1; 3 ra1");
  const SolveResult result = saturated(ring, {Visibility::kNothing, true, false});
  CHECK(result.validity == Validity::kInvalid);
  CHECK(result.statistics.choices == 0);
  CHECK(saturated(ring, {Visibility::kNothing, false, false}).validity == Validity::kValid);
  // Only later transactions of its own session write what one reads.
  const SolveResult own = saturated(register_history("0 rx1; 0 wx1; 0 wy1; 0 wx1"),
                                    {Visibility::kNothing, true, false});
  CHECK(own.validity == Validity::kInvalid);
  CHECK(own.statistics.choices == 0);
  // What a session has read precedes its later writes, by more than session order.
  CHECK(saturated(register_history("0 rx1; 0 wy1; 1 ry1; 1 wx1; 0 wx1; 1 wy1"),
                  {Visibility::kWritesFollowReads, true, false})
            .validity == Validity::kInvalid);
  // Certain reads form a cycle, which a spent budget may not show.
  const History cycle = register_history("0 rx1 wy1; 1 ry1 wx1; 0 wz1; 1 wz1; 2 rz1");
  CHECK(saturate(cycle, {.level = {Visibility::kPram, true, false}, .work = 1}).validity !=
        Validity::kValid);
}

TEST_CASE("saturate: very many sessions that all went wrong") {
  HistoryBuilder builder;
  const KeyId key = builder.key(ValueId::integer(0));
  const std::size_t sessions = round_count(20'000, 20'000);
  for (std::int64_t s = 0; s < static_cast<std::int64_t>(sessions); ++s) {
    const std::vector<MopInput> write = {{OpKind::kWrite, key, ValueId::integer(s + 1)}};
    const std::vector<MopInput> read = {{OpKind::kRead, key, ValueId::nil()}};
    REQUIRE(builder.add_transaction({.session = s, .mops = write}));
    REQUIRE(builder.add_transaction({.session = s, .mops = read}));
  }
  Result<History> built = std::move(builder).build({});
  REQUIRE(built);
  const SolveResult result = saturated(built.value(), {Visibility::kCausal, true, false});
  CHECK(result.validity == Validity::kInvalid);
  CHECK(result.violations == sessions);
}

}  // namespace
}  // namespace elapid
