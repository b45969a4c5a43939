#include "adapter/store/store_watch.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/plain_user.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// The names of the runs that have ended, from the store on.
std::vector<std::string> ended_in(StoreWatch& watch, const TemporaryFolder& store) {
  std::vector<std::string> names;
  const Result<std::vector<EndedRun>> ended = watch.ended();
  for (const EndedRun& run : ended.value()) {
    names.push_back(
        fs::path(run.path).lexically_normal().lexically_relative(store.path()).string());
  }
  return names;
}

/// Waits, which ends only if something has happened.
void wait(StoreWatch& watch) {
  REQUIRE(watch.wait(std::chrono::hours(1)));
}

using Names = std::vector<std::string>;

TEST_CASE("runs are told of once each, when they have ended") {
  const TemporaryFolder store;
  StoreWatch watch = StoreWatch::open({store.path().string()}).value();
  CHECK(ended_in(watch, store).empty());

  fs::create_directory(store.path() / "t");
  wait(watch);
  CHECK(ended_in(watch, store).empty());
  store.write("t/1/test.jepsen", "");
  wait(watch);
  CHECK(ended_in(watch, store).empty());
  CHECK(watch.running() == 1);
  store.write("t/1/history.edn", "");
  wait(watch);
  CHECK(ended_in(watch, store).empty());
  fs::create_directory_symlink("1", store.path() / "t" / "latest");
  wait(watch);
  CHECK(ended_in(watch, store) == Names{"t/1"});
  CHECK(watch.running() == 0);
  CHECK(ended_in(watch, store) == Names{"t/1"});  // it was not settled
  CHECK(watch.settle(watch.ended().value().front()));
  CHECK(ended_in(watch, store).empty());

  store.write("t/1/results.edn", "{}");
  store.write("u/3/history.edn", "");
  store.write("u/3/results.edn", "{}");
  store.write("t/2/results.edn", "{}");
  store.write("t/2/test.jepsen", "");
  wait(watch);
  CHECK(ended_in(watch, store) == Names{"t/2", "u/3"});
}

TEST_CASE("runs that are there at first, below whatever is watched") {
  const TemporaryFolder store;
  store.write("s/t/1/history.edn", "");
  store.write("s/t/1/results.edn", "{}");
  store.write("s/t/1/n1/db.log", "");
  store.write("s/.hidden/1/history.edn", "");
  store.write("s/.hidden/1/results.edn", "{}");
  for (const std::string below : {".", "s", "s/t", "s/t/1"}) {
    StoreWatch watch = StoreWatch::open({store / below, store / below}).value();
    CHECK(ended_in(watch, store) == Names{"s/t/1"});
  }
}

TEST_CASE("a run alone is told of when it becomes the latest") {
  const TemporaryFolder store;
  store.write("t/1/history.edn", "");
  StoreWatch watch = StoreWatch::open({store / "t/1"}).value();
  CHECK(ended_in(watch, store).empty());
  fs::create_directory_symlink("1", store.path() / "t" / "latest");
  wait(watch);
  CHECK(ended_in(watch, store) == Names{"t/1"});
}

TEST_CASE("a run whose history changes is told of again") {
  const TemporaryFolder store;
  store.write("t/1/history.edn", "a");
  store.write("t/1/results.edn", "{}");
  StoreWatch watch = StoreWatch::open({store.path().string()}).value();
  const EndedRun before = watch.ended().value().front();
  store.write("t/1/history.edn", "ab");
  CHECK(!watch.settle(before));
  CHECK(watch.settle(watch.ended().value().front()));
  CHECK(ended_in(watch, store).empty());
  store.write("t/1/history.edn", "abc");
  CHECK(ended_in(watch, store) == Names{"t/1"});
}

TEST_CASE("waiting ends when nothing happens, too") {
  const TemporaryFolder store;
  StoreWatch watch = StoreWatch::open({store.path().string()}).value();
  CHECK(ended_in(watch, store).empty());
  CHECK(!watch.wait(std::chrono::milliseconds(1)));
  CHECK(ended_in(watch, store).empty());
}

TEST_CASE("a folder that cannot be listed is told of once, and the others go on") {
  const TemporaryFolder store;
  store.write("t/1/history.edn", "");
  store.write("t/1/results.edn", "{}");
  store.write("u/2/history.edn", "");
  store.write("u/2/results.edn", "{}");
  fs::permissions(store.path(), fs::perms(0755));
  fs::permissions(store.path() / "u", fs::perms::none);
  StoreWatch watch = StoreWatch::open({store.path().string()}).value();
  {
    const PlainUser user;
    CHECK(ended_in(watch, store) == Names{"t/1", "u"});
    const std::vector<EndedRun> ended = watch.ended().value();
    for (const EndedRun& run : ended) {
      CHECK(watch.settle(run));
    }
    CHECK(ended_in(watch, store).empty());
  }
  fs::permissions(store.path() / "u", fs::perms(0755));
  CHECK(ended_in(watch, store) == Names{"u/2"});
  fs::permissions(store.path() / "u", fs::perms::none);
  {
    const PlainUser user;
    CHECK(ended_in(watch, store) == Names{"u"});
  }
  fs::permissions(store.path() / "u", fs::perms(0755));
}

TEST_CASE("only folders can be watched") {
  const TemporaryFolder store;
  const Result<StoreWatch> file = StoreWatch::open({store.write("history.edn", "")});
  REQUIRE(!file);
  CHECK(file.error().kind == ErrorKind::kUnreadable);
  CHECK(!StoreWatch::open({store / "none"}));
}

}  // namespace
}  // namespace elapid
