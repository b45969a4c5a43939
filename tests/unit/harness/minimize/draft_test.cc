#include "harness/minimize/draft.h"

#include <catch2/catch.hpp>

#include "harness/sketch/tiny_history.h"
#include "tests/support/dump.h"
#include "tests/support/history_line.h"
#include "tests/support/random_history.h"
#include "tests/support/timed_history.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

void require_same(const History& history) {
  const Result<BuiltDraft> built = build(draft_of(history));
  REQUIRE(built.ok());
  CHECK(dump(built.value().history) == dump(history));
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    CHECK(built.value().origins[t] == TxnId{t});
  }
}

TEST_CASE("a draft of a history builds that history") {
  require_same(list_history("0> ax1; 1> rx; 0+ ax1; 1? rx1; 2> ay1; 3- ay2; 4? ay3 ry; 5+ ry3"));
  require_same(register_history("0> wx1; 1 rx_ wy1; 0- wx1; 2 rx1; 3> wx2"));
  require_same(register_history("0> wx1; 0+ wx1 wx2; 1> wx3; 1- wx4; 2> wx5; 2? wx5 rx_"));
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    require_same(build(random_history(Workload::kListAppend, seed, Variety::kDistinct)));
    require_same(build(random_history(Workload::kRwRegister, seed, Variety::kRepeating)));
  }
}

TEST_CASE("a draft of a session trace builds that trace") {
  require_same(build(
      parse_timed(Workload::kRwRegister, "1-5 0 wx1 rx1; 3-8 1- wx2; _-9 2? wx3; 10-10 0 rx1")));
  const TinyHistory tiny = parse_tiny(Workload::kRwRegister, "0> wx1; 1 rx0 wy2; 0+ wx1; 1 rx1");
  require_same(build_trace(tiny, {.has_times = true, .has_initial_txn = true}));
  require_same(build_trace(tiny, {}));
}

TEST_CASE("drafts share transactions until one edits them") {
  const History history = list_history("ax1; ax2");
  const Draft draft = draft_of(history);
  Draft other = draft;
  CHECK(other.txns[0] == draft.txns[0]);
  other.edit(0).mops.clear();
  CHECK(draft.txns[0]->mops.size() == 1);
  CHECK(other.fingerprint() != draft.fingerprint());
  CHECK(other.txns[1] == draft.txns[1]);

  Draft asked_for_nothing = draft;
  asked_for_nothing.edit(0).invoked.emplace();
  CHECK(asked_for_nothing.fingerprint() != draft.fingerprint());
}

TEST_CASE("origins say which transaction it was") {
  const History history = list_history("0 ax1; 1 ax2; 2 rx12");
  const std::vector<TxnId> some = {{0}, {2}};
  const Result<BuiltDraft> built = build(draft_of(history, some));
  REQUIRE(built.ok());
  CHECK(history_line(built.value().history) == "0+ ax1; 2+ rx12");
  CHECK(built.value().origins == some);
}

}  // namespace
}  // namespace elapid
