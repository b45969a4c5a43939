// Orders of commits, and which rows deletes took that do not tell them.
#include "engine/replay/commit_search.h"

#include <catch2/catch.hpp>
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

}  // namespace
}  // namespace elapid::replay
