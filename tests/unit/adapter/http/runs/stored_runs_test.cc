#include "adapter/http/runs/stored_runs.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>

#include "tests/support/temporary_folder.h"

namespace elapid::http {
namespace {

constexpr const char* kHistory = "{:type :ok, :process 0, :f :txn, :value [[:append 1 1]]}\n";

TEST_CASE("stored runs: those of a store and plain histories, newest first, by their paths") {
  const TemporaryFolder folder;
  folder.write("t/20260101T000000.000Z/history.edn", kHistory);
  folder.write("t/20260101T000000.000Z/results.edn", "{:valid? true}");
  folder.write("t/20260102T000000.000Z/history.edn", kHistory);
  const std::string plain = folder.write("plain.edn", kHistory);
  folder.write("README.md", "nothing");
  const auto changed = std::filesystem::last_write_time(plain);
  std::filesystem::last_write_time(plain, changed - std::chrono::hours(1));
  StoredRuns runs(folder.path().string());
  const std::vector<StoredRun> list = runs.list();
  REQUIRE(list.size() == 3);
  CHECK(list[2].path == "plain.edn");
  CHECK(list[2].state == StoredRun::State::kEnded);
  const auto ended = runs.find("t/20260101T000000.000Z");
  REQUIRE(ended);
  CHECK(ended->state == StoredRun::State::kEnded);
  CHECK(content_of(ended->history) == kHistory);
  const auto running = runs.find("t/20260102T000000.000Z");
  REQUIRE(running);
  CHECK(running->state == StoredRun::State::kRunning);
  for (const char* none :
       {"", "..", "../x", "t", "README.md", "/etc/passwd", "t/../plain.edn", "./plain.edn"}) {
    INFO(none);
    CHECK_FALSE(runs.find(none));
  }
}

TEST_CASE("stored runs: a run that has changed has another stamp, and one that is gone is none") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.edn", kHistory);
  StoredRuns runs(folder.path().string());
  const auto before = runs.find("a.edn");
  REQUIRE(before);
  folder.write("a.edn", std::string(kHistory) + kHistory);
  CHECK(runs.find("a.edn")->stamp() != before->stamp());
  std::filesystem::remove(path);
  CHECK_FALSE(runs.find("a.edn"));
  CHECK(StoredRuns("").list().empty());
}

}  // namespace
}  // namespace elapid::http
