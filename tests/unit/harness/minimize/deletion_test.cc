#include "harness/minimize/deletion.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "harness/sketch/tiny_history.h"
#include "tests/support/history_line.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

std::string line_of(const Draft& draft) {
  const Result<BuiltDraft> built = build(draft);
  REQUIRE(built.ok());
  return history_line(built.value().history);
}

std::string without(const History& history, Unit unit, std::size_t begin, std::size_t end,
                    Orphans orphans = Orphans::kDropReads) {
  const Draft draft = draft_of(history);
  return line_of(Deleter(draft).without(unit, begin, end, orphans));
}

std::size_t count(const History& history, Unit unit) {
  const Draft draft = draft_of(history);
  return Deleter(draft).count(unit);
}

TEST_CASE("deleted appends disappear from the lists read") {
  const History history = list_history("0 ax1; 1 ax2 ay1; 2 rx12 ry1");
  CHECK(without(history, Unit::kTxn, 0, 1) == "1+ ax2 ay1; 2+ rx2 ry1");
  CHECK(without(history, Unit::kTxn, 0, 2) == "2+ rx ry");
  CHECK(without(history, Unit::kOp, 1, 2) == "0+ ax1; 1+ ay1; 2+ rx1 ry1");
  CHECK(without(history, Unit::kOp, 3, 5) == "0+ ax1; 1+ ax2 ay1; 2+");
}

TEST_CASE("register reads of a deleted write go too or see the initial state") {
  const History history = register_history("0 wx1; 1 rx1 wx2; 2 rx2");
  CHECK(without(history, Unit::kTxn, 0, 1) == "1+ wx2; 2+ rx2");
  CHECK(without(history, Unit::kTxn, 0, 1, Orphans::kReadInitial) == "1+ rx_ wx2; 2+ rx2");
}

TEST_CASE("a value that another transaction wrote too is still written") {
  const History history = register_history("0 wx1; 1 wx1; 2 rx1");
  CHECK(without(history, Unit::kTxn, 0, 1) == "1+ wx1; 2+ rx1");
  CHECK(without(history, Unit::kTxn, 0, 2) == "2+");
}

TEST_CASE("a read can go although another transaction wrote the value too") {
  const History history = register_history("0 wx1; 1 wx1; 2 rx1 wy2; 3 ry2");
  CHECK(without(history, Unit::kTxn, 0, 1, Orphans::kDropUncertain) == "1+ wx1; 2+ wy2; 3+ ry2");
}

TEST_CASE("all but some transactions are deleted") {
  const History history = list_history("0 ax1; 1 ax2; 2 rx12");
  const Draft draft = draft_of(history);
  CHECK(line_of(Deleter(draft).only({false, true, true}, Orphans::kDropReads)) == "1+ ax2; 2+ rx2");
}

TEST_CASE("an unwritten value stays until it is deleted itself") {
  const History history = list_history("0 ax1; 1 rx91; 2 rx9");
  CHECK(without(history, Unit::kTxn, 0, 1) == "1+ rx9; 2+ rx9");
  REQUIRE(count(history, Unit::kUnwritten) == 1);
  CHECK(without(history, Unit::kUnwritten, 0, 1) == "0+ ax1; 1+ rx1; 2+ rx");
}

TEST_CASE("sessions and keys are deleted as a whole") {
  const History history = list_history("0 ax1 ay1; 1 ax2; 0 rx12 ry1");
  CHECK(count(history, Unit::kSession) == 2);
  CHECK(without(history, Unit::kSession, 0, 1) == "1+ ax2");
  CHECK(count(history, Unit::kKey) == 2);
  CHECK(without(history, Unit::kKey, 0, 1) == "0+ ay1; 1+; 0+ ry1");
}

TEST_CASE("what an aborted transaction attempted is written too") {
  const History history = list_history("0> ax1; 0- ax1; 1 rx1; 2> ax2; 2- ; 3 rx12");
  CHECK(without(history, Unit::kTxn, 2, 3) == "0- ax1; 1+ rx1; 3+ rx1");
  REQUIRE(count(history, Unit::kAttempt) == 1);
  CHECK(without(history, Unit::kAttempt, 0, 1) == "0- ax1; 1+ rx1; 2-; 3+ rx1");
}

TEST_CASE("a recorded initial transaction becomes the initial value") {
  const TinyHistory tiny = parse_tiny(Workload::kRwRegister, "0 rx0 wx1; 1 rx0 wx2");
  const History history = build_trace(tiny, {.has_initial_txn = true});
  REQUIRE(history.info().initial_txn == TxnId{0});
  const Draft draft = draft_of(history);
  const Draft rest = Deleter(draft).without(Unit::kTxn, 0, 1, Orphans::kDropReads);
  CHECK(rest.info.initial == ValueId::integer(0));
  CHECK(rest.info.initial_txn.is_none());
  CHECK(rest.txns[0]->mops.size() == 2);
  const std::vector<TxnId> last = {{2}};
  const Draft part = excerpt(history, WrittenVersions(history), last, Orphans::kReadInitial);
  CHECK(part.info.initial == ValueId::integer(0));
  CHECK(part.txns[0]->mops.size() == 2);
}

TEST_CASE("an excerpt has no reads of what only others wrote") {
  const History history = list_history("0 ax1; 1 ax2; 2 rx12; 3 ry7");
  const std::vector<TxnId> some = {{1}, {2}, {3}};
  CHECK(line_of(excerpt(history, WrittenVersions(history), some, Orphans::kDropReads)) ==
        "1+ ax2; 2+ rx2; 3+ ry7");
}

TEST_CASE("keys that nothing is done to are left out") {
  const History history = list_history("0 ax1; 1 ay1; 2 az1");
  const std::vector<TxnId> some = {{1}};
  const Draft draft = compact(draft_of(history, some));
  CHECK(draft.key_names == std::vector<std::string>{":y"});
  CHECK(line_of(draft) == "1+ ay1");
}

}  // namespace
}  // namespace elapid
