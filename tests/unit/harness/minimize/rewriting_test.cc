#include "harness/minimize/rewriting.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "harness/sketch/tiny_history.h"
#include "tests/support/dump.h"
#include "tests/support/history_line.h"
#include "tests/support/timed_history.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

History built(const Draft& draft) {
  Result<BuiltDraft> built = build(draft);
  REQUIRE(built.ok());
  return std::move(built.value().history);
}

std::vector<std::string> lines(const Rewritings& rewritings) {
  std::vector<std::string> lines;
  for (const MakeRewritten& make : rewritings) {
    lines.push_back(history_line(built(make())));
  }
  return lines;
}

using Lines = std::vector<std::string>;

/// Whether `a` completed before `b` was invoked.
bool precedes(const History& history, TxnId a, TxnId b) {
  return history.completion_id(a) < history.invocation_id(b);
}

TEST_CASE("unknown outcomes are committed or aborted") {
  const History history = list_history("0 ax1; 1> ax2; 2? ax3; 3 rx12");
  const Draft draft = draft_of(history);
  CHECK(lines(with_outcomes(draft)) ==
        Lines{"0+ ax1; 2+ ax3; 3+ rx12; 1? ax2", "0+ ax1; 2- ax3; 3+ rx12; 1? ax2",
              "0+ ax1; 2? ax3; 3+ rx12; 1+ ax2", "0+ ax1; 2? ax3; 3+ rx12; 1- ax2"});
}

TEST_CASE("a transaction with unknown reads is not taken for committed") {
  const History history = register_history("0> wx1 ry_; 1 rx1");
  const Draft draft = draft_of(history);
  CHECK(lines(with_outcomes(draft)) == Lines{"1+ rx1; 0- wx1 ry_"});
}

TEST_CASE("sessions are taken apart") {
  const History history = list_history("0 ax1; 0 ax2; 1 rx12");
  const Draft draft = draft_of(history);
  CHECK(lines(with_less_session_order(draft)) ==
        Lines{"0+ ax1; 1+ ax2; 2+ rx12", "2+ ax1; 0+ ax2; 1+ rx12", "0+ ax1; 2+ ax2; 1+ rx12"});
  CHECK(with_less_session_order(draft_of(list_history("ax1; ax2"))).empty());
}

TEST_CASE("sessions are merged where transactions do not overlap") {
  const History history = list_history("0> ax1; 1> ax2; 0+ ax1; 1+ ax2; 2 rx12");
  const Draft draft = draft_of(history);
  CHECK(lines(with_merged_sessions(draft)) ==
        Lines{"0+ ax1; 1+ ax2; 0+ rx12", "0+ ax1; 1+ ax2; 1+ rx12"});
}

TEST_CASE("real time is given up") {
  const History history = list_history("0 ax1; 1 ax2");
  const Draft draft = draft_of(history);
  const Rewritings rewritings = with_less_real_time(draft);
  REQUIRE(rewritings.size() == 3);
  for (const MakeRewritten& make : rewritings) {
    CHECK_FALSE(precedes(built(make()), {0}, {1}));
  }
  const Draft concurrent = rewritings[0]();
  CHECK(with_less_real_time(concurrent).empty());
}

TEST_CASE("real time within a session stays") {
  const History history = list_history("0 ax1; 1 ay1; 0 ax2");
  const Draft draft = draft_of(history);
  for (const MakeRewritten& make : with_less_real_time(draft)) {
    const History less = built(make());
    const SessionId session = {less.session_name({0}) == 0 ? 0U : 1U};
    REQUIRE(less.session_txns(session).size() == 2);
    CHECK(precedes(less, less.session_txns(session)[0], less.session_txns(session)[1]));
  }
}

TEST_CASE("times of a trace become places of events where real time counts") {
  const TinyHistory tiny = parse_tiny(Workload::kRwRegister, "0 wx1; 1 wx2; 2 rx2");
  const History history = build_trace(tiny, {.has_times = true});
  const Draft draft = draft_of(history);
  const Rewritings rewritings = with_less_real_time(draft);
  REQUIRE(rewritings.size() > 2);
  CHECK_FALSE(built(rewritings[0]()).info().has_real_time);
  const History concurrent = built(rewritings[1]());
  CHECK(concurrent.info().has_real_time);
  CHECK_FALSE(precedes(concurrent, {0}, {1}));
  CHECK(without_times(draft).empty());
}

TEST_CASE("names become small") {
  const History history = list_history("7 ay40; 3 ay50 ab2; 7 ry50,40");
  const Draft draft = draft_of(history);
  const Draft small =
      with_small_sessions(with_small_numbers(with_small_values(with_small_keys(draft))));
  CHECK(history_line(built(small)) == "0+ ax2; 1+ ax1 ay3; 0+ rx12");
  CHECK(with_small_values(small).fingerprint() == small.fingerprint());
  CHECK(with_small_keys(small).fingerprint() == small.fingerprint());
  CHECK(with_small_numbers(small).fingerprint() == small.fingerprint());
}

TEST_CASE("the initial value keeps its name") {
  const History history =
      build_with_initial(parse_tiny(Workload::kRwRegister, "rx0 wx5; rx5 wx1; rx1"));
  const History small = built(with_small_values(draft_of(history)));
  CHECK(history_line(small) == "0+ rx0 wx1; 1+ rx1 wx2; 2+ rx2");
}

TEST_CASE("timestamps become places in their order") {
  const History history = build(parse_timed(Workload::kRwRegister, "10-500 0 wx1; 300-500 1 rx1"));
  const History small = built(with_small_numbers(draft_of(history)));
  CHECK(small.start_timestamp({0}) == 1);
  CHECK(small.commit_timestamp({0}) == 3);
  CHECK(small.start_timestamp({1}) == 2);
  CHECK(small.commit_timestamp({1}) == 3);
}

}  // namespace
}  // namespace elapid
