#include "harness/minimize/minimize.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <new>
#include <string>
#include <thread>

#include "harness/minimize/keeps.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/dump.h"
#include "tests/support/history_line.h"
#include "tests/support/random_history.h"
#include "tests/support/timed_history.h"

namespace elapid {
namespace {

Verdict verdict_on(const History& history, const CheckOptions& options) {
  Result<Verdict> verdict = check(history, options);
  REQUIRE(verdict.ok());
  REQUIRE(verdict.value().validity == Validity::kInvalid);
  return std::move(verdict).value();
}

Minimized small_of(const History& history, Model model, std::string_view anomaly,
                   MinimizeOptions options = {}) {
  const CheckOptions asked = {.models = {model}};
  const Verdict verdict = verdict_on(history, asked);
  for (const FoundAnomaly& found : anomalies_found(history, verdict)) {
    if (found.name == anomaly) {
      options.named = found.named;
    }
  }
  REQUIRE_FALSE(options.named.empty());
  Result<Minimized> small = minimize(history, keeps_anomaly(anomaly, verdict, asked), options);
  REQUIRE(small.ok());
  return std::move(small).value();
}

std::string small_line(const History& history, Model model, std::string_view anomaly,
                       MinimizeOptions options = {}) {
  const Minimized small = small_of(history, model, anomaly, std::move(options));
  CHECK(small.is_one_minimal);
  return history_line(small.history);
}

TEST_CASE("a lost update comes down to two transactions") {
  CHECK(small_line(register_history("0 wx1; 1> rx1 wx2; 2 rx1 wx3; 1+ rx1 wx2; 3 ry_ wy1; 4 rx2"),
                   Model::kPlSi, "lost-update") == "1+ rx_ wx1; 0+ rx_ wx2");
  CHECK(small_line(list_history("0 ax1; 1> rx1 ax2; 2 rx1 ax3; 1+ rx1 ax2; 3 ry ay1; 4 rx123"),
                   Model::kPlSi, "lost-update") == "1+ rx ax1; 0+ rx ax2");
}

TEST_CASE("what is thrown while candidates are tried ends the search, whatever thread it was in") {
  std::string writes;
  for (int i = 1; i <= 64; ++i) {
    writes += "wx" + std::to_string(i) + "; ";
  }
  const History history = register_history(writes + "wy1");
  for (const std::size_t threads : {1U, 4U}) {
    const std::thread::id self = std::this_thread::get_id();
    std::atomic<int> tried = 0;
    const Keeps keeps = [&](const History& /*candidate*/) -> Result<bool> {
      if (tried++ == 0) {
        return true;  // the whole history
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(3));  // so that there are helpers
      if (threads == 1 || std::this_thread::get_id() != self) {
        throw std::bad_alloc();
      }
      return false;
    };
    CHECK_THROWS_AS((void)minimize(history, keeps, {.threads = threads}), std::bad_alloc);
  }
}

TEST_CASE("write skew comes down to two transactions") {
  CHECK(
      small_line(list_history("0 ax1 ay1; 1> rx1 ry1; 2 rx1 ry1 ay2; 1+ rx1 ry1 ax2; 3 rx12 ry12; "
                              "4 az1"),
                 Model::kPl3, "G2-item") == "1+ rx ay1; 0+ ry ax1");
}

TEST_CASE("an aborted read keeps the transaction that aborted") {
  CHECK(small_line(list_history("0 ax1; 1- ax2 ay1; 2 rx12 az1; 3 rz1"), Model::kPl2, "G1a") ==
        "0- ax1; 1+ rx1");
}

TEST_CASE("a read of an unwritten value stays one") {
  CHECK(small_line(list_history("0 ax1; 1 rx19; 2 ay1"), Model::kPl2, "garbage-read") == "0+ rx1");
}

TEST_CASE("an unknown outcome is settled") {
  CHECK(small_line(list_history("0? ax1; 1 rx1 ry; 2> ; 3 ay1 rx; 2+ ry1 rx1"), Model::kPlSs,
                   "G-single-item-realtime")
            .find('?') == std::string::npos);
}

TEST_CASE("what is kept does not change its kind") {
  // Without its writer, the read of 1 would be an anomaly by itself.
  const History history = register_history("0 wx1; 1 rx1 wy1; 2 ry1 rx_");
  CHECK(small_line(history, Model::kPl3, "G-single-item") == "0+ wx1; 1+ rx1 wy1; 2+ ry1 rx_");
}

TEST_CASE("simplified, a history has no order that the anomaly does not need") {
  const History history = list_history(
      "0 ax1 ay1; 0 rx1 ry1 ay2; 1> rx1 ry1; 0 az1; 1+ rx1 ry1 ax2; "
      "0 rx12 ry12");
  const Minimized small = small_of(history, Model::kPl3, "G2-item", {.simplify = true});
  CHECK(small.is_one_minimal);
  CHECK(small.history.session_count() == small.history.txn_count());
  for (std::uint32_t t = 0; t < small.history.txn_count(); ++t) {
    CHECK_FALSE(small.history.event({t}, EventKind::kCompletion).time.has_value());
    CHECK(small.history.invocation_id({t}).value < small.history.txn_count());
  }
}

TEST_CASE("real time stays where the anomaly rests on it") {
  const History history = register_history("0 wx1; 1 wy1; 2 rx_");
  const Minimized small =
      small_of(history, Model::kPlSs, "G-single-item-realtime", {.simplify = true});
  CHECK(history_line(small.history) == "0+ wx1; 1+ rx_");
  CHECK(small.history.completion_id({0}) < small.history.invocation_id({1}));
}

TEST_CASE("the violation of a level is kept as a whole") {
  const History history = register_history("0 wx1; 1 rx1 wx2; 2 rx1 wx3; 3 wy1; 4 ry1");
  const CheckOptions options = {.models = {Model::kPlSi}};
  const Verdict verdict = verdict_on(history, options);
  const Result<Minimized> small = minimize(history, keeps_violation(verdict, options), {});
  REQUIRE(small.ok());
  CHECK(small.value().is_one_minimal);
  CHECK(history_line(small.value().history) == "0+ rx_ wx1; 1+ rx_ wx2");
}

TEST_CASE("timestamps stay in their order") {
  const History history =
      build(parse_timed(Workload::kRwRegister, "1-5 0 wx1; 6-8 1 wx2; 10-20 2 rx1; 30-31 3 wy1"));
  const CheckOptions options = {.models = {Model::kPlSi}, .engine = Engine::kTimestamps};
  const Verdict verdict = verdict_on(history, options);
  const std::vector<FoundAnomaly> found = anomalies_found(history, verdict);
  REQUIRE_FALSE(found.empty());
  const Result<Minimized> small =
      minimize(history, keeps_anomaly(found[0].name, verdict, options), {.named = found[0].named});
  REQUIRE(small.ok());
  CHECK(small.value().history.txn_count() == 2);
  CHECK(small.value().is_one_minimal);
}

TEST_CASE("the answer is the same for any number of threads") {
  const History history = list_history(
      "0 ax1 ay1; 1> rx1 ry1; 2 rx1 ry1 ay2; 1+ rx1 ry1 ax2; 3 rx12 "
      "ry12; 4 az1; 5 rz1 rx12");
  const Minimized one = small_of(history, Model::kPl3, "G2-item");
  const Minimized four = small_of(history, Model::kPl3, "G2-item", {.threads = 4});
  CHECK(dump(one.history) == dump(four.history));
  CHECK(one.tries == four.tries);
}

TEST_CASE("threads share what takes long, and the answer is the same") {
  const History history = build(random_history(Workload::kListAppend, 7, Variety::kLarge));
  // Slow enough for more than one thread to be worth it.
  const Keeps is_invalid = [](const History& candidate) -> Result<bool> {
    bool is_valid = true;
    for (int i = 0; i < 60; ++i) {
      const Result<Verdict> verdict = check(candidate, {.models = {Model::kPlSs}});
      if (!verdict) {
        return verdict.error();
      }
      is_valid = verdict.value().validity == Validity::kValid;
    }
    return !is_valid;
  };
  const Result<Minimized> one = minimize(history, is_invalid, {.threads = 1});
  const Result<Minimized> four = minimize(history, is_invalid, {.threads = 4});
  REQUIRE(one.ok());
  REQUIRE(four.ok());
  CHECK(dump(one.value().history) == dump(four.value().history));
  CHECK(one.value().tries == four.value().tries);
  CHECK(one.value().is_one_minimal);
}

TEST_CASE("without a hint everything is tried, and the result is as small") {
  const History history = register_history("0 wx1; 1 rx1 wx2; 2 rx1 wx3; 3 wy1; 4 ry1");
  const Keeps loses = keeps_anomaly("lost-update", verdict_on(history, {.models = {Model::kPlSi}}),
                                    {.models = {Model::kPlSi}});
  const Result<Minimized> small = minimize(history, loses, {});
  REQUIRE(small.ok());
  CHECK(history_line(small.value().history) == "0+ rx_ wx1; 1+ rx_ wx2");
  CHECK(small.value().origins == std::vector<TxnId>{{1}, {2}});
}

TEST_CASE("names are kept where that is asked") {
  const Keeps has_txn = [](const History& history) -> Result<bool> {
    return history.op_count() > 0;
  };
  const Result<Minimized> small =
      minimize(register_history("3 wy7; 4 wz8"), has_txn, {.keep_names = true});
  REQUIRE(small.ok());
  CHECK(history_line(small.value().history) == "3+ wy7");
}

TEST_CASE("limits end with the best so far, which is said not to be minimal") {
  const History history = register_history("0 wx1; 1 rx1 wx2; 2 rx1 wx3; 3 wy1; 4 ry1");
  const Keeps any = [](const History&) -> Result<bool> { return true; };
  const Result<Minimized> few = minimize(history, any, {.max_tries = 2});
  REQUIRE(few.ok());
  CHECK_FALSE(few.value().is_one_minimal);
  CHECK(few.value().why_not == "the limit of tries was reached");
  CHECK(few.value().tries <= 2);
  std::atomic<int> asked = 0;
  const Result<Minimized> cancelled =
      minimize(history, any, {.is_cancelled = [&] { return ++asked > 3; }});
  REQUIRE(cancelled.ok());
  CHECK_FALSE(cancelled.value().is_one_minimal);
  CHECK(cancelled.value().why_not == "cancelled");
}

TEST_CASE("a property that does not hold is refused, and errors come through") {
  const History history = register_history("0 wx1");
  const Result<Minimized> refused =
      minimize(history, [](const History&) -> Result<bool> { return false; }, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kUsage);
  const Result<Minimized> failed = minimize(
      history, [](const History&) -> Result<bool> { return Error{.message = "broken"}; }, {});
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().message == "broken");
}

TEST_CASE("a property that changes its mind is an error") {
  int asked = 0;
  const Result<Minimized> small = minimize(
      register_history("0 wx1"), [&](const History&) -> Result<bool> { return ++asked == 1; }, {});
  REQUIRE_FALSE(small.ok());
  CHECK(small.error().kind == ErrorKind::kInternal);
}

TEST_CASE("progress is told") {
  std::size_t last = 99;
  const Result<Minimized> small =
      minimize(register_history("0 wx1; 1 wx2; 2 wx3"),
               [](const History& h) -> Result<bool> { return h.txn_count() > 0; },
               {.progress = [&](const MinimizeProgress& progress) { last = progress.txns; }});
  REQUIRE(small.ok());
  CHECK(last == 1);
  CHECK(small.value().history.op_count() == 0);
}

}  // namespace
}  // namespace elapid
