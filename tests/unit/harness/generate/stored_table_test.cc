#include "harness/generate/store/stored_table.h"

#include <catch2/catch.hpp>
#include <vector>

namespace elapid {
namespace {

using Found = std::vector<std::int64_t>;

bool sees_all_commits(CommitId /*commit*/) {
  return true;
}

PlainRowOp insert_row(std::int64_t key, std::int64_t group, std::int64_t value) {
  return {.kind = PlainRowKind::kInsert, .key = key, .group = group, .value = value, .unique = key};
}

PlainRowOp on_group(PlainRowKind kind, std::int64_t group) {
  return {.kind = kind, .by = PlainRowsBy::kGroup, .group = group, .value = 70, .unique = 71};
}

/// Commits the transaction.
void install_all(const RowWork& work, CommitId commit, StoredTable& table) {
  for (const auto& [key, change] : work.changes()) {
    table.write(key, commit, change.now);
  }
}

StoredTable two_rows() {
  StoredTable table;
  table.write(1, 1, {true, 5, 10, 100});
  table.write(2, 2, {true, 5, 20, 200});
  return table;
}

TEST_CASE("stored table: searches find rows by key, group and number") {
  const StoredTable table = two_rows();
  const auto found = [&](PlainRowOp op) {
    RowWork work;
    Found rows;
    CHECK(work.carry_out(table, op, sees_all_commits, rows));
    return rows;
  };
  const Found both = {1, 5, 10, 100, 2, 5, 20, 200};
  CHECK(found(on_group(PlainRowKind::kRead, 5)) == both);
  CHECK(found(on_group(PlainRowKind::kRead, 6)).empty());
  CHECK(found({.by = PlainRowsBy::kKeys, .low = 2, .high = 9}) == Found{2, 5, 20, 200});
  CHECK(found({.by = PlainRowsBy::kValues, .low = 10, .high = 19}) == Found{1, 5, 10, 100});
  CHECK(found({.by = PlainRowsBy::kValuesOfGroup, .group = 5, .low = 20, .high = 20}) ==
        Found{2, 5, 20, 200});
}

TEST_CASE("stored table: a transaction sees what it has seen of others, and its own writes") {
  const StoredTable table = two_rows();
  const SeesCommit sees_first = [](CommitId commit) { return commit <= 1; };
  RowWork work;
  Found rows;
  CHECK(work.carry_out(table, insert_row(3, 5, 30), sees_first, rows));
  CHECK(work.carry_out(table, on_group(PlainRowKind::kUpdate, 5), sees_first, rows));
  CHECK(rows == Found{1, 3});
  rows.clear();
  CHECK(work.carry_out(table, on_group(PlainRowKind::kRead, 5), sees_first, rows));
  CHECK(rows == Found{1, 5, 70, 71, 3, 5, 70, 71});
  rows.clear();
  CHECK(work.carry_out(table, on_group(PlainRowKind::kDelete, 5), sees_first, rows));
  CHECK(work.carry_out(table, on_group(PlainRowKind::kRead, 5), sees_first, rows));
  CHECK(rows == Found{1, 3});
  CHECK_FALSE(work.is_repeatable(table, sees_all_commits));
  CHECK(work.is_repeatable(table, sees_first));
}

TEST_CASE("stored table: a row that is there cannot be inserted, one that was deleted can") {
  StoredTable table = two_rows();
  RowWork work;
  Found rows;
  CHECK_FALSE(work.carry_out(table, insert_row(2, 5, 0), sees_all_commits, rows));
  work.clear();
  CHECK(work.carry_out(table, on_group(PlainRowKind::kDelete, 5), sees_all_commits, rows));
  CHECK(work.carry_out(table, insert_row(2, 5, 0), sees_all_commits, rows));
  CHECK(work.fits(table, sees_all_commits));
  install_all(work, 3, table);
  CHECK_FALSE(work.fits(table, sees_all_commits));
  CHECK(table.row(2, sees_all_commits) == RowContents{true, 5, 0, 2});
  CHECK_FALSE(table.row(1, sees_all_commits).is_alive);
}

TEST_CASE("stored table: old versions and dead rows are forgotten") {
  StoredTable table = two_rows();
  table.write(1, 3, {.group = 5});
  table.write(2, 4, {true, 5, 21, 201});
  CHECK(table.version_count() == 4);
  table.prune(2);
  CHECK(table.version_count() == 4);
  table.prune(3);
  CHECK(table.version_count() == 2);
  CHECK(table.last_commit(1) == 0);
  CHECK(table.row(2, [](CommitId commit) { return commit <= 3; }).value == 20);
}

}  // namespace
}  // namespace elapid
