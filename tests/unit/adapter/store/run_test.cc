#include "adapter/store/run.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a history is of the run whose folder it is, or lies in") {
  const TemporaryFolder store;
  const fs::path run = store.path() / "t" / "1";
  fs::create_directories(run);
  CHECK(!run_of(run.string()));
  const std::string binary = store.write("t/1/test.jepsen", "");
  CHECK(run_of(run.string()) == run);
  CHECK(run_of(binary) == run);
  const std::string text = store.write("t/1/history.edn", "");
  CHECK(run_of(run.string()) == run);
  CHECK(run_of(text) == run);
  CHECK(!run_of(store.write("t/1/other.edn", "")));
  CHECK(!run_of((run / "none").string()));
  CHECK(!run_of("history.edn"));
}

TEST_CASE("a run has ended when its history is there, and results, or the link to the latest") {
  const TemporaryFolder store;
  const fs::path runs = store.path() / "t";
  fs::create_directories(runs / "1");
  fs::create_directories(runs / "2");
  CHECK(!has_ended(runs / "1"));
  store.write("t/1/test.jepsen", "");
  CHECK(!has_ended(runs / "1"));
  fs::create_directory_symlink("1", runs / "latest");
  CHECK(!has_ended(runs / "1"));  // Jepsen has linked it too early: its history is still to come
  store.write("t/1/history.edn", "");
  CHECK(has_ended(runs / "1"));
  store.write("t/2/history.edn", "");
  CHECK(!has_ended(runs / "2"));  // another is the latest
  store.write("t/2/results.edn", "");
  CHECK(has_ended(runs / "2"));
  fs::remove(runs / "2" / "history.edn");
  CHECK(!has_ended(runs / "2"));
  store.write("t/2/test.jepsen", "");
  CHECK(has_ended(runs / "2"));
}

TEST_CASE("what Jepsen adds to a run later does not change its history") {
  const TemporaryFolder store;
  const fs::path run = store.path() / "1";
  store.write("1/test.jepsen", "a");
  const HistoryStamp binary = stamp_of_run(run);
  CHECK(binary.bytes == 1);
  store.write("1/history.edn", "abc");
  const HistoryStamp text = stamp_of_run(run);
  CHECK(text.bytes == 3);
  store.write("1/test.jepsen", "more");
  store.write("1/results.edn", "{}");
  CHECK(stamp_of_run(run) == text);
  store.write("1/history.edn", "abcd");
  CHECK(stamp_of_run(run) != text);
}

}  // namespace
}  // namespace elapid
