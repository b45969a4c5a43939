#include "adapter/report/exhibit.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "harness/sketch/tiny_history.h"
#include "tests/oracle/random_rows.h"

namespace elapid {
namespace {

Exhibit exhibit_of_name(const History& history, const CheckOptions& options,
                        const std::string& name) {
  Result<Verdict> verdict = check(history, options);
  REQUIRE(verdict.ok());
  for (const Finding& finding : findings(history, verdict.value())) {
    if (finding.description.name == name) {
      return exhibit_of(history, finding, {}, {.anchor = "a3"});
    }
  }
  FAIL("no " << name);
  return {};
}

const ExhibitOp& from_op(const Exhibit& exhibit, std::size_t edge) {
  return exhibit.txns[exhibit.edges[edge].from].ops[exhibit.edges[edge].from_op.value()];
}

const ExhibitOp& to_op(const Exhibit& exhibit, std::size_t edge) {
  return exhibit.txns[exhibit.edges[edge].to].ops[exhibit.edges[edge].to_op.value()];
}

TEST_CASE("an exhibit of a lost update has both reads before the other's write") {
  const History history = register_history("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2");
  const Exhibit exhibit = exhibit_of_name(history, {.models = {Model::kPlSi}}, "lost-update");
  CHECK(exhibit.sessions == std::vector<std::string>{"process 0", "process 1"});
  REQUIRE(exhibit.txns.size() == 2);
  CHECK(exhibit.txns[0].anchor == "a3.t1");
  CHECK(exhibit.txns[0].label == "T1");
  REQUIRE(exhibit.txns[0].ops.size() == 2);
  CHECK(exhibit.txns[0].ops[0].text == "read :x = nil");
  CHECK(exhibit.txns[0].ops[1].text == "write :x = 1");
  CHECK(exhibit.txns[0].ops[1].anchor == "a3.t1.o2");
  REQUIRE(exhibit.edges.size() >= 2);
  CHECK(exhibit.edges[0].anchor == "a3.e1");
  CHECK(exhibit.edges[0].relation == Relation::kRw);
  CHECK(from_op(exhibit, 0).text == "read :x = nil");
  CHECK(to_op(exhibit, 0).text == "write :x = 2");
  CHECK(to_op(exhibit, 1).text == "write :x = 1");
}

TEST_CASE("an exhibit of rows says what predicates asked for, and which rows they missed") {
  const History history = rows_history(
      "1: [:rp [:in :a 1 9] {}] [:insert 1 {:a 5}]\n"
      "2: [:rp [:in :a 3 6] {}] [:insert 2 {:a 5}]");
  const Exhibit exhibit = exhibit_of_name(history, {.models = {Model::kPl3}}, "G2");
  REQUIRE(exhibit.txns.size() == 2);
  REQUIRE(exhibit.edges.size() == 2);
  for (std::size_t edge = 0; edge < 2; ++edge) {
    const bool is_first = from_op(exhibit, edge).text == "read rows with 1 <= :a <= 9: none";
    CHECK((is_first || from_op(exhibit, edge).text == "read rows with 3 <= :a <= 6: none"));
    CHECK(exhibit.edges[edge].relation == Relation::kRw);
    CHECK(exhibit.edges[edge].key == (is_first ? "row 2" : "row 1"));
    CHECK(to_op(exhibit, edge).text == (is_first ? "insert row 2 {:a 5}" : "insert row 1 {:a 5}"));
    CHECK(exhibit.edges[edge].condition == (is_first ? "1 <= :a <= 9" : "3 <= :a <= 6"));
  }
  CHECK(exhibit.txns[0].ops[1].text.starts_with("insert row "));
}

TEST_CASE("an edge of a row that was read by its key names the row alone") {
  const History history = rows_history(
      "init {1 {:a 0} 2 {:a 0}}\n"
      "1: [:r 1 {:a 0}] [:update 2 {:a 5}]\n"
      "2: [:r 2 {:a 0}] [:update 1 {:a 5}]");
  const Exhibit exhibit = exhibit_of_name(history, {.models = {Model::kPl3}}, "G2-item");
  REQUIRE(exhibit.edges.size() == 2);
  CHECK(exhibit.edges[0].key.starts_with("row "));
  CHECK(exhibit.edges[0].condition.empty());
  CHECK(from_op(exhibit, 0).text.starts_with("read row "));
  CHECK(from_op(exhibit, 0).text.ends_with(" = {:a 0}"));
}

TEST_CASE("an exhibit places events in the order of the history") {
  const History history = register_history("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2");
  const Exhibit exhibit = exhibit_of_name(history, {.models = {Model::kPlSi}}, "lost-update");
  CHECK(exhibit.axis == ExhibitAxis::kEvents);
  CHECK(exhibit.txns[0].first_event == 0);
  CHECK(exhibit.txns[1].first_event == 1);
  CHECK(exhibit.txns[0].last_event == 2);
  CHECK(exhibit.txns[1].last_event == 3);
}

TEST_CASE("an aborted read's exhibit leads from the write to the read") {
  const History history = list_history("-ax1; rx1");
  const Exhibit exhibit = exhibit_of_name(history, {.models = {Model::kPl2}}, "G1a");
  REQUIRE(exhibit.edges.size() == 1);
  CHECK(exhibit.edges[0].relation == Relation::kWr);
  CHECK(from_op(exhibit, 0).text == "append 1 to :x");
  CHECK(to_op(exhibit, 0).text == "read :x = [1]");
  CHECK(exhibit.txns[exhibit.edges[0].from].status == TxnStatus::kAborted);
}

TEST_CASE("the end of an indeterminate transaction of an exhibit is unknown") {
  const History history = list_history("0? ax1 ay1; 1 rx1 ry; 2 ry1");
  const Exhibit exhibit = exhibit_of_name(history, {.models = {Model::kPl3}}, "G-single-item");
  const auto unknown =
      std::ranges::find(exhibit.txns, TxnStatus::kIndeterminate, &ExhibitTxn::status);
  REQUIRE(unknown != exhibit.txns.end());
  CHECK_FALSE(unknown->last_event.has_value());
}

TEST_CASE("the exhibit of many operations shows those in focus, and counts the others") {
  const History history = list_history("0 ax1 ay1 az1 au1 av1 aw1; -ax2; rx12");
  const Exhibit exhibit = exhibit_of_name(history, {.models = {Model::kPl2}}, "G1a");
  for (const ExhibitTxn& txn : exhibit.txns) {
    CHECK(std::ranges::all_of(
        txn.ops, [](const ExhibitOp& op) { return op.is_in_focus && op.skipped == 0; }));
  }
  const History wide = list_history("-au1 av1 aw1 ax2 ay1 az1; rx2");
  const Exhibit few = exhibit_of_name(wide, {.models = {Model::kPl2}}, "G1a");
  const auto writer = std::ranges::find(few.txns, TxnStatus::kAborted, &ExhibitTxn::status);
  REQUIRE(writer != few.txns.end());
  REQUIRE(writer->ops.size() == 1);
  CHECK(writer->ops[0].anchor == writer->anchor + ".o4");
  CHECK(writer->ops[0].skipped == 3);
  CHECK(writer->skipped == 2);
}

TEST_CASE("a proof's lemma is a group of its exhibit, with what it assumes") {
  const History history = register_history("0 wx1; 0 wx2; 0 rx1");
  const Exhibit exhibit = exhibit_of_name(
      history, {.models = {Model::kStrongSessionSnapshotIsolation}, .engine = Engine::kSolver},
      "G-single-item-process");
  REQUIRE(exhibit.groups.size() == 2);
  CHECK(exhibit.groups[0].title.empty());
  CHECK(exhibit.groups[1].title == "(1) T1 wrote before T2, for otherwise:");
  const auto assumed = std::ranges::find(exhibit.edges, true, &ExhibitEdge::is_assumed);
  REQUIRE(assumed != exhibit.edges.end());
  CHECK(assumed->group == 1);
  const auto proved = std::ranges::find(exhibit.edges, std::size_t{1}, &ExhibitEdge::by);
  REQUIRE(proved != exhibit.edges.end());
  CHECK(proved->group == 0);
}

}  // namespace
}  // namespace elapid
