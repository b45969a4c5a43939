// Orders of commits, and which rows deletes took that do not tell them.
#include "engine/replay/commit_search.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/certify/rows/rows_witness.h"
#include "tests/oracle/random_rows.h"

namespace elapid::replay {
namespace {

/// Whether an order is found; it is certified.
bool has_commits(const History& history, Stale stale) {
  CommitSearch search(history, stale);
  ReplayBudget budget = {.work = 1'000'000, .states = 1'000'000};
  if (!search.run(budget)) {
    return false;
  }
  const Model model = stale == Stale::kAllReads ? Model::kPl2 : Model::kPl299;
  CHECK(
      check_rows_of_old_versions(history, model, {.order = search.order(), .taken = search.taken()})
          .value_or("")
          .empty());
  return true;
}

TEST_CASE("commit search: what commits between two operations is found by the second") {
  const History history = rows_history(
      "0@1-6: [:rp :true {}] [:up :true {:a 1} 2]\n"
      "1@2-3: [:insert 1 {:a 0}] [:insert 2 {:a 0}]\n"
      "2@7-8: [:rp :true {1 {:a 1} 2 {:a 1}}]\n");
  CHECK(has_commits(history, Stale::kAllReads));
  CHECK(has_commits(history, Stale::kPredicates));
}

TEST_CASE("commit search: a row read by key may change before its reader commits, or may not") {
  const History history = rows_history(
      "0@1-2: [:insert 1 {:a 0}]\n"
      "1@3-8: [:r 1 {:a 0}] [:r 1 {:a 1}]\n"
      "2@4-5: [:update 1 {:a 1}]\n");
  CHECK(has_commits(history, Stale::kAllReads));
  CHECK_FALSE(has_commits(history, Stale::kPredicates));
}

TEST_CASE("commit search: two deletes by one predicate take a row each") {
  const History history = rows_history(
      "0@1-2: [:insert 1 {:a 5}] [:insert 2 {:a 6}]\n"
      "1@3-9: [:rp [:key 9 9] {}] [:dp [:in :a 5 6] 1]\n"
      "2@4-8: [:rp [:key 8 8] {}] [:dp [:in :a 5 6] 1]\n"
      "3@10-11: [:insert 1 {:a 7}] [:insert 2 {:a 8}]\n");
  CHECK(has_commits(history, Stale::kAllReads));
}

TEST_CASE("commit search: a delete that others show to have taken another row did") {
  const History history = rows_history(
      "0@1-2: [:insert 1 {:a 5 :b 1}] [:insert 2 {:a 5}]\n"
      "1@3-4: [:dp [:= :a 5] 1]\n"
      "2@5-6: [:dp [:= :b 1] 1]\n");
  CHECK(has_commits(history, Stale::kAllReads));
  const History other = rows_history(
      "0@1-2: [:insert 1 {:a 5 :b 1}] [:insert 2 {:a 5}]\n"
      "1@3-4: [:dp [:= :a 5] 1]\n"
      "2@5-6: [:dp [:in :a 5 6] 1]\n"
      "3@7-8: [:dp [:= :b 1] 1]\n");
  CHECK_FALSE(has_commits(other, Stale::kAllReads));
}

/// Transactions of one operation each, one after the other.
std::string in_turn(const std::vector<std::string>& operations) {
  std::string text;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    text += std::to_string(i) + '@' + std::to_string(2 * i + 1) + '-' + std::to_string(2 * i + 2) +
            ": " + operations[i] + '\n';
  }
  return text;
}

/// `rows` rows, a delete of each, and `more` deletes that find no row.
History all_deleted(std::size_t rows, std::size_t more) {
  std::vector<std::string> operations;
  for (std::size_t row = 1; row <= rows; ++row) {
    operations.push_back("[:insert " + std::to_string(row) + " {:a 5}]");
  }
  operations.resize(2 * rows + more, "[:dp [:= :a 5] 1]");
  return rows_history(in_turn(operations));
}

TEST_CASE("commit search: the budget ends the search for another row of former deletes") {
  const History history = all_deleted(300, 1);
  CommitSearch search(history, Stale::kAllReads);
  int questions = 0;  // while the last delete waits
  ReplayBudget budget = {.work = 1'000'000, .states = 0, .keep_going = [&] {
                           questions += search.order().size() == 600 ? 1 : 0;
                           return questions < 5;
                         }};
  CHECK_FALSE(search.run(budget));
  CHECK(questions == 5);
  CHECK(budget.work > 0);
}

/// The work that the search takes.
std::uint64_t work_of(const History& history, bool is_found) {
  CommitSearch search(history, Stale::kAllReads);
  ReplayBudget budget = {.work = 1'000'000, .states = 0};
  CHECK(search.run(budget) == is_found);
  return 1'000'000 - budget.work;
}

TEST_CASE("commit search: former deletes are looked through once for equal ones that wait") {
  CHECK(work_of(all_deleted(100, 20), false) < 2 * work_of(all_deleted(100, 1), false));
}

TEST_CASE("commit search: a version of long ago is found without a look at all since") {
  std::vector<std::string> operations = {"[:insert 1 {:a 0}]"};
  for (int i = 1; i < 1000; ++i) {
    operations.push_back("[:update 1 {:a " + std::to_string(i) + "}]");
  }
  for (int i = 0; i < 1000; ++i) {
    operations.push_back("[:r 1 {:a " + std::to_string(i) + "}]");
  }
  CHECK(work_of(rows_history(in_turn(operations)), true) < 20'000);
}

}  // namespace
}  // namespace elapid::replay
