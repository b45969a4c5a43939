// Orders of events in which every operation on rows finds what it did, found state by state.
#include "engine/replay/order_search.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "engine/certify/rows/rows_witness.h"
#include "tests/oracle/random_rows.h"

namespace elapid::replay {
namespace {

constexpr OrderLevel kSnapshotsInTime = {Visibility::kSnapshot, true, true};

/// An order that is found is certified.
Validity answer(const History& history, OrderLevel level, std::uint64_t work) {
  OrderSearch search(history, level);
  ReplayBudget budget = {.work = work, .states = 1'000'000};
  const Validity validity = search.run(budget);
  if (validity == Validity::kValid) {
    CHECK(check_rows_witness(history, level, {.order = search.order()}).value_or("").empty());
  }
  return validity;
}

TEST_CASE("order search: a transaction starts again after one that wrote the same row") {
  const History history = rows_history(
      "0@1-9: [:rp [:key 7 7] {}] [:insert 7 {:a 1}]\n"
      "1@2-3: [:insert 7 {:a 2}]\n"
      "2@4-5: [:dp [:key 7 7] 1]\n");
  CHECK(answer(history, kSnapshotsInTime, 1000) == Validity::kValid);
}

TEST_CASE("order search: a row inserted and deleted since the snapshot may not be inserted") {
  const History history = rows_history(
      "0@1-2: [:insert 1 {:a 0}]\n"
      "1@3-9: [:r 1 {:a 0}] [:insert 7 {:a 1}]\n"
      "2@4-5: [:insert 7 {:a 2}] [:update 1 {:a 3}]\n"
      "3@6-7: [:r 1 {:a 3}] [:dp [:key 7 7] 1]\n");
  CHECK(answer(history, kSnapshotsInTime, 1000) == Validity::kInvalid);
}

TEST_CASE("order search: a delete that can hit a row later need not start at once") {
  const History history = rows_history(
      "0@1-9: [:r 1 {:a 5}] [:delete 7]\n"
      "1@2-8: [:insert 7 {:a 2}] [:insert 1 {:a 5}]\n"
      "2@3-7: [:r 7 {:a 2}]\n"
      "3@10-11: [:r 7 nil]\n");
  CHECK(answer(history, kSnapshotsInTime, 1000) == Validity::kValid);
}

TEST_CASE(
    "order search: a long transaction that starts late is charged by the rows that it reads") {
  std::string text = "0@1-2: [:insert 1 {:a 1}]";
  for (int row = 10; row < 110; ++row) {
    text += " [:r " + std::to_string(row) + " nil]";
  }
  const History history = rows_history(text + "\n");
  CHECK(answer(history, kSnapshotsInTime, 100) == Validity::kUnknown);
  CHECK(answer(history, kSnapshotsInTime, 1000) == Validity::kValid);
}

/// `first` completes before all others. `reader` finds row 2 and not row 1, which is found later.
std::string crowd(int others) {
  std::string text =
      "0@1-100: [:insert 1 {:a 1}]\n"
      "1@2-190: [:insert 2 {:a 2}]\n"
      "2@3-191: [:rp [:key 1 2] {2 {:a 2}}]\n"
      "3@200-201: [:rp [:key 1 2] {1 {:a 1} 2 {:a 2}}]\n";
  for (int i = 0; i < others; ++i) {
    text += std::to_string(10 + i) + "@" + std::to_string(10 + i) + "-" + std::to_string(110 + i) +
            ": [:insert " + std::to_string(10 + i) + " {:a " + std::to_string(10 + i) + "}]\n";
  }
  return text;
}

TEST_CASE("order search: a row waits for those that did not find it where a later one does") {
  const History history = rows_history(crowd(40));
  CHECK(answer(history, kSnapshotsInTime, 20'000) == Validity::kValid);
  CHECK(answer(history, {Visibility::kSerial, true, true}, 20'000) == Validity::kValid);
}

/// Its only event is the first of the history.
TEST_CASE("order search: the first transaction commits, though its invocation is not recorded") {
  const auto insert = [](std::int64_t row) {
    return RowsSketch::Operation{
        .kind = rows::RowOpKind::kInsert, .row = row, .written = {{0, row}}};
  };
  const RowsSketch::Operation finds_nothing = {.kind = rows::RowOpKind::kPredicateRead,
                                               .known = rows::Known::kKeys};
  RowsSketch::Operation finds_both = finds_nothing;
  finds_both.shown = {{.row = 1}, {.row = 2}};
  const Result<History> history =
      build({.transactions = {{.session = 0,
                               .end = 1,
                               .has_invocation = false,
                               .operations = {finds_nothing, insert(1)}},
                              {.session = 1,
                               .end = 2,
                               .has_invocation = false,
                               .operations = {finds_nothing, insert(2)}},
                              {.session = 2, .begin = 3, .end = 4, .operations = {finds_both}}}});
  REQUIRE(history.value().completion_id(TxnId{0}) == EventId{0});
  CHECK(answer(history.value(), kSnapshotsInTime, 1000) == Validity::kValid);
  CHECK(answer(history.value(), {Visibility::kSerial, true, true}, 1000) == Validity::kInvalid);
}

/// Writers of row 7 that are all in flight.
std::string hot_row(int writers, const std::string& reads) {
  const std::string finds = ": [:rp [:key 1 2] {}] [:insert ";
  std::string text = "0@1-3" + finds + "1 {:a 1}]\n1@2-4" + finds + "2 {:a 2}]\n";
  for (int i = 0; i < writers; ++i) {
    text += std::to_string(2 + i) + "@" + std::to_string(10 + i) + "-" + std::to_string(1000 + i) +
            ": " + reads + "[:put 7 {:a " + std::to_string(i) + "}]\n";
  }
  return text;
}

TEST_CASE("order search: writers of one row that are all in flight cost little each") {
  constexpr int kWriters = 400;
  // None of them starts again, or is looked at, when another commits.
  for (const std::string reads : {"", "[:r 8 nil] [:r 9 nil] "}) {
    CHECK(answer(rows_history(hot_row(kWriters, reads)), kSnapshotsInTime, kWriters * 40) ==
          Validity::kValid);
  }
}

TEST_CASE("order search: a transaction has read before another overwrites what it found") {
  const auto history = [](const std::string& written) {
    return rows_history(
        "0@1-2: [:insert 1 {:a 0}]\n"
        "1@3-20: [:r 1 {:a 0}] [:put 7 {:a 1}]\n"
        "2@4-10: [:update 1 {:a 5}] [:put " +
        written + " {:a 2}]\n" + "3@11-12: [:r 1 {:a 5}] [:r " + written +
        " {:a 2}]\n"
        "3@21-22: [:r 7 {:a 1}]\n");
  };
  CHECK(answer(history("8"), kSnapshotsInTime, 1000) == Validity::kValid);
  CHECK(answer(history("7"), kSnapshotsInTime, 1000) == Validity::kInvalid);
}

}  // namespace
}  // namespace elapid::replay
