// Orders that are drafted, carried out and repaired, of histories with times and without.
#include "engine/replay/order_repair.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/certify/rows/rows_witness.h"
#include "tests/oracle/random_rows.h"

namespace elapid::replay {
namespace {

constexpr OrderLevel kSerialOrder = {Visibility::kSerial, false, false};
constexpr OrderLevel kSessionOrder = {Visibility::kSerial, true, false};
constexpr OrderLevel kSnapshots = {Visibility::kSnapshot, true, false};

/// A client's operation: rows never vanish, and every value is written once, as in Viper's logs.
std::string operation(std::mt19937_64& chance, std::map<int, int>& table, int& last_value) {
  const int row = static_cast<int>(chance() % 1500);
  if (chance() % 5 < 2) {
    std::string result =
        "[:rp [:key " + std::to_string(row) + " " + std::to_string(row + 9) + "] {";
    for (auto at = table.lower_bound(row); at != table.end() && at->first <= row + 9; ++at) {
      result += std::to_string(at->first) + " {:a " + std::to_string(at->second) + "} ";
    }
    return result + "}] ";
  }
  const bool is_there = table.contains(row);
  const int value = table[row] = ++last_value;
  return std::string(is_there ? "[:update " : "[:insert ") + std::to_string(row) + " {:a " +
         std::to_string(value) + "}] ";
}

/// Transactions that ran one after the other, told session by session.
std::string sessions_of_a_serial_run(std::uint64_t seed, int transactions) {
  std::mt19937_64 chance(seed);
  std::map<int, int> table;
  int last_value = 0;
  std::array<std::string, 8> sessions;
  for (int txn = 0; txn < transactions; ++txn) {
    const std::size_t session = chance() % sessions.size();
    sessions[session] += std::to_string(session) + ": ";
    for (int op = 0; op < 4; ++op) {
      sessions[session] += operation(chance, table, last_value);
    }
    sessions[session] += "\n";
  }
  std::string text;
  for (const std::string& session : sessions) {
    text += session;
  }
  return text;
}

std::string flaw(const History& history, OrderLevel level, const OrderRepair& repair) {
  return check_rows_witness(history, level, {.order = repair.order(), .beginning = {}})
      .value_or("");
}

TEST_CASE("order repair: a serial run told session by session has an order after few runs") {
  for (const OrderLevel level : {kSerialOrder, kSessionOrder, kSnapshots}) {
    const History history = rows_history(sessions_of_a_serial_run(1, 800));
    OrderRepair repair(history, level);
    ReplayBudget budget = {.work = 30 * std::uint64_t{history.op_count()}};
    REQUIRE(repair.run(budget));
    CHECK(flaw(history, level, repair).empty());
  }
}

TEST_CASE("order repair: who was not shown an inserted row came before") {
  const History history = rows_history(
      "0: [:insert 1 {:a 1}]\n"
      "1: [:rp [:in :a 1 9] {}]\n");
  OrderRepair repair(history, kSerialOrder);
  ReplayBudget budget = {.work = 100};
  REQUIRE(repair.run(budget));
  CHECK(repair.order().front().txn == TxnId{1});
}

TEST_CASE("order repair: two that miss one another's rows have an order of snapshots alone") {
  const History history = rows_history(
      "0: [:rp [:in :a 1 9] {}] [:insert 1 {:a 5}]\n"
      "1: [:rp [:in :a 1 9] {}] [:insert 2 {:a 5}]\n");
  OrderRepair serial(history, kSerialOrder);
  ReplayBudget budget = {.work = 1000};
  CHECK_FALSE(serial.run(budget));
  CHECK(serial.is_contradictory());
  OrderRepair snapshots(history, kSnapshots);
  REQUIRE(snapshots.run(budget));
  CHECK(flaw(history, kSnapshots, snapshots).empty());
}

TEST_CASE("order repair: of two that overwrite a row, one comes first at snapshot isolation") {
  const History history = rows_history(
      "0: [:insert 1 {:a 1}]\n"
      "1: [:put 1 {:a 2}]\n"
      "2: [:put 1 {:a 3}]\n"
      "3: [:r 1 {:a 2}]\n");
  OrderRepair repair(history, kSnapshots);
  ReplayBudget budget = {.work = 1000};
  REQUIRE(repair.run(budget));
  CHECK(flaw(history, kSnapshots, repair).empty());
}

TEST_CASE("order repair: an indeterminate transaction takes effect if a transaction read from it") {
  const History history = rows_history(
      "0?: [:insert 1 {:a 1}]\n"
      "1?: [:insert 2 {:a 2}]\n"
      "2: [:rp :true {1 {:a 1}}]\n");
  OrderRepair repair(history, kSerialOrder);
  ReplayBudget budget = {.work = 1000};
  REQUIRE(repair.run(budget));
  CHECK(repair.order().size() == 2);
}

/// Commits in turn. Between them, readers see a state from up to twenty commits before. Rows are
/// inserted and deleted.
std::string a_store_that_shows_the_past(std::uint64_t seed, int transactions) {
  std::mt19937_64 chance(seed);
  std::vector<std::map<int, int>> tables(1);
  std::string text;
  for (int txn = 0; txn < transactions; ++txn) {
    const bool reads = chance() % 2 == 0;
    const std::size_t back = reads ? chance() % std::min<std::size_t>(20, tables.size()) : 0;
    std::map<int, int> table = tables[tables.size() - 1 - back];
    const int row = static_cast<int>(chance() % 8);
    std::string found = "{";
    for (const auto& [key, value] : table) {
      found += key < 4 ? std::to_string(key) + " {:a " + std::to_string(value) + "} " : "";
    }
    text += std::to_string(txn) + "@" + std::to_string(txn * 10) + "-" +
            std::to_string(txn * 10 + 5) + ": [:rp [:key 0 3] " + found + "}]";
    if (!reads) {
      const std::string key = std::to_string(row);
      text += table.contains(row) ? " [:delete " + key + "]"
                                  : " [:insert " + key + " {:a " + std::to_string(txn) + "}]";
      if (!table.erase(row)) {
        table[row] = txn;
      }
      tables.push_back(table);
    }
    text += "\n";
  }
  return text;
}

TEST_CASE("order repair: readers of the past stand where they fit") {
  for (const OrderLevel level : {kSerialOrder, OrderLevel{Visibility::kSnapshot, false, false}}) {
    const History history = rows_history(a_store_that_shows_the_past(7, 1500));
    OrderRepair repair(history, level);
    ReplayBudget budget = {.work = 5 * std::uint64_t{history.op_count()}};
    REQUIRE(repair.run(budget));
    CHECK(flaw(history, level, repair).empty());
  }
}

TEST_CASE("order repair: what a reader saw turns two commits that completed in the other order") {
  const History history = rows_history(
      "0@0-9: [:insert 1 {:a 1}]\n"
      "1@1-10: [:insert 2 {:a 1}]\n"
      "2@2-11: [:rp :true {2 {:a 1}}]\n");
  OrderRepair repair(history, kSerialOrder);
  ReplayBudget budget = {.work = 1000};
  REQUIRE(repair.run(budget));
  CHECK(repair.order().front().txn == TxnId{1});
  CHECK(repair.order().back().txn == TxnId{0});
}

TEST_CASE("order repair: an update that matched nothing may have seen the past") {
  const History history = rows_history(
      "0@0-2: [:insert 1 {:a 1}]\n"
      "1@3-5: [:up :true {:a 2} #{}]\n"
      "2@6-8: [:rp :true {1 {:a 1}}]\n");
  OrderRepair repair(history, kSerialOrder);
  ReplayBudget budget = {.work = 1000};
  REQUIRE(repair.run(budget));
  CHECK(repair.order().front().txn == TxnId{1});
}

}  // namespace
}  // namespace elapid::replay
