#include "adapter/watch/sqlite_page_store.h"

#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "tests/support/temporary_folder.h"
#include "tests/unit/engine/online/timeline_walk.h"

namespace elapid {
namespace {

std::unique_ptr<SqlitePageStore> open(const std::string& path) {
  auto store = SqlitePageStore::open(path);
  REQUIRE(store.ok());
  return std::move(store).value();
}

/// Whether all is there that was committed.
Status verified(const std::string& path) {
  const auto store = SqlitePageStore::open(path);
  return store.ok() ? store.value()->verified() : Status(store.error());
}

TEST_CASE("a timeline in a database is the same whatever part of it is in memory") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    const auto store = open("");
    TimelineWalk(*store, seed).run(150);
    CHECK(store->status().ok());
  }
}

TEST_CASE("pages in a database are ordered as moments are") {
  const auto store = open("");
  const PageOwner owner = {PageOwner::Kind::kSession, Atom::nil()};
  const Moment middle = {-5, std::numeric_limits<std::uint32_t>::max(), Moment::kStart};
  store->save(owner, Moment::first(), "first");
  store->save(owner, middle, "middle");
  store->save(owner, {-4, 0, Moment::kCommit}, "next");
  store->save({PageOwner::Kind::kKey, Atom::nil()}, {-5, 0, Moment::kCommit}, "another's");
  CHECK(store->last_up_to(owner, Moment::last())->bytes == "next");
  CHECK(store->last_up_to(owner, middle)->bytes == "middle");
  CHECK(store->last_up_to(owner, middle)->begin == middle);
  CHECK(store->last_up_to(owner, just_before(middle))->bytes == "first");
  CHECK(store->first_after(owner, Moment::first())->bytes == "middle");
  CHECK(store->first_after(owner, middle)->bytes == "next");
  CHECK_FALSE(store->first_after(owner, Moment::last()));
  store->save(owner, middle, std::string("\0new", 4));
  CHECK(store->last_up_to(owner, middle)->bytes == std::string("\0new", 4));
}

TEST_CASE("what was not committed is gone") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "state.sqlite";
  const PageOwner owner = {PageOwner::Kind::kKey, AtomTable().integer(-1)};
  {
    const auto store = open(path);
    CHECK_FALSE(store->get("state"));
    store->put("state", "old");
    store->save(owner, Moment::first(), "old page");
    store->commit();
    store->put("state", "new");
    store->save(owner, Moment::first(), "new page");
    CHECK(store->get("state") == "new");
  }
  const auto store = open(path);
  CHECK(store->get("state") == "old");
  CHECK(store->last_up_to(owner, Moment::last())->bytes == "old page");
  CHECK(store->status().ok());
}

/// Runs statements on a database behind the store's back.
void change(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

TEST_CASE("a database whose records are not those that were committed is refused") {
  for (const char* sql :
       {"UPDATE pages SET bytes = 'other' WHERE physical = 1", "DELETE FROM pages WHERE rest = 4",
        "UPDATE pages SET physical = 5 WHERE physical = 2",
        "UPDATE pages SET owner = 1 WHERE physical = 1", "DELETE FROM state WHERE name = x'61'",
        "UPDATE state SET bytes = 'other' WHERE name = x'61'", "DELETE FROM state",
        "DELETE FROM state WHERE name = x'73756D'", "DROP TABLE state",
        "UPDATE pages SET (bytes, checksum) = (SELECT bytes, checksum FROM pages AS others WHERE"
        " others.physical = 2) WHERE physical = 1",
        "CREATE TABLE other (x)"}) {
    INFO(sql);
    const TemporaryFolder folder;
    const std::string path = folder.path() / "state.sqlite";
    {
      const auto store = open(path);
      store->save({PageOwner::Kind::kKey, Atom::nil()}, {1, 1, Moment::kCommit}, "one");
      store->save({PageOwner::Kind::kKey, Atom::nil()}, {2, 0, Moment::kStart}, "two");
      store->save({PageOwner::Kind::kKey, Atom::nil()}, {2, 0, Moment::kStart}, "two again");
      store->put("a", "b");
      store->put("a", "c");
      store->commit();
      CHECK(store->status().ok());
    }
    CHECK(open(path)->get("a") == "c");
    change(path, sql);
    const Status status = verified(path);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().kind == ErrorKind::kUnreadable);
    CHECK(status.error().message.find("send the stream from the beginning") != std::string::npos);
  }
}

TEST_CASE("a database whose index leads to other pages is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "state.sqlite";
  {
    const auto store = open(path);
    store->save({PageOwner::Kind::kKey, Atom::nil()}, {1, 1, Moment::kCommit}, "one");
    store->save({PageOwner::Kind::kKey, Atom::nil()}, {2, 0, Moment::kStart}, "two");
    store->commit();
  }
  CHECK(verified(path).ok());
  // Rows change their places while the database is said to have no index.
  const std::string aside =
      "ATTACH '" + std::string(folder.path() / "aside.sqlite") + "' AS aside;";
  change(path,
         aside +
             "CREATE TABLE aside.kept AS SELECT * FROM main.sqlite_schema WHERE name IN"
             " ('pages', 'sqlite_autoindex_pages_1');"
             "PRAGMA writable_schema = ON;"
             "UPDATE main.sqlite_schema SET sql ="
             " replace(sql, ', UNIQUE (owner, name, physical, rest)', '') WHERE name = 'pages';"
             "DELETE FROM main.sqlite_schema WHERE name = 'sqlite_autoindex_pages_1'");
  change(path,
         "UPDATE pages SET rowid = 9 WHERE rowid = 1; UPDATE pages SET rowid = 1 WHERE rowid = 2;"
         "UPDATE pages SET rowid = 2 WHERE rowid = 9");
  change(path,
         aside +
             "PRAGMA writable_schema = ON;"
             "UPDATE main.sqlite_schema SET sql = (SELECT sql FROM aside.kept WHERE name = 'pages')"
             " WHERE name = 'pages';"
             "INSERT INTO main.sqlite_schema"
             " SELECT * FROM aside.kept WHERE name = 'sqlite_autoindex_pages_1'");
  const Status status = verified(path);
  REQUIRE_FALSE(status.ok());
  INFO(status.error().message);
  CHECK(status.error().message.find("the index of the database's pages") != std::string::npos);
}

TEST_CASE("a database is used while it is verified, and whatever its path") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "50% #1?");
  const std::string path = folder.path() / "50% #1?" / "state.sqlite";
  const PageOwner owner = {PageOwner::Kind::kKey, Atom::nil()};
  constexpr int kCommits = 20;
  for (int i = 0; i < kCommits; ++i) {
    const auto store = open(path);
    CHECK(store->get("number").value_or("0") == std::to_string(i));
    store->save(owner, {i, 0, Moment::kCommit}, std::string(20'000, 'x'));
    store->save(owner, {0, 0, Moment::kCommit}, std::to_string(i));
    store->put("number", std::to_string(i + 1));
    store->commit();
    CHECK(store->is_verified());
    CHECK(store->status().ok());
  }
  CHECK(verified(path).ok());
  CHECK(open(path)->last_up_to(owner, {0, 0, Moment::kCommit})->bytes ==
        std::to_string(kCommits - 1));
}

TEST_CASE("nothing is committed to a database that is damaged") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "state.sqlite";
  {
    const auto store = open(path);
    store->save({PageOwner::Kind::kKey, Atom::nil()}, {1, 1, Moment::kCommit}, "one");
    store->put("a", "b");
    store->commit();
  }
  change(path, "DELETE FROM pages");
  {
    const auto store = open(path);
    store->put("a", "c");
    store->commit();
    CHECK_FALSE(store->status().ok());
    CHECK_FALSE(store->verified().ok());
  }
  CHECK(open(path)->get("a") == "b");
}

TEST_CASE("a database is one process's, and a database") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "state.sqlite";
  const auto store = open(path);
  const auto second = SqlitePageStore::open(path);
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().kind == ErrorKind::kUnreadable);
  CHECK_FALSE(SqlitePageStore::open(folder.write("text", std::string(5000, 'x'))).ok());
  CHECK_FALSE(SqlitePageStore::open("/proc/nowhere/state.sqlite").ok());
}

}  // namespace
}  // namespace elapid
