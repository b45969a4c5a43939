// elapid scan --watch: a store in which tests run, as Jepsen writes it.
#include <signal.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/support/temporary_folder.h"
#include "tests/support/wait_until.h"
#include "tests/watch/child.h"
#include "tests/watch/told.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAborted =
    "{:index 0, :type :invoke, :process 0, :f :txn, :value [[:append :x 1]]}\n"
    "{:index 1, :type :fail, :process 0, :f :txn, :value [[:append :x 1]]}\n"
    "{:index 2, :type :invoke, :process 1, :f :txn, :value [[:r :x nil]]}\n";
constexpr std::string_view kAbortedRead =
    "{:index 3, :type :ok, :process 1, :f :txn, :value [[:r :x [1]]]}\n";
constexpr std::string_view kRead =
    "{:index 3, :type :ok, :process 1, :f :txn, :value [[:r :x []]]}\n";

std::string whole(std::string_view last) {
  return std::string(kAborted) + std::string(last);
}

/// The line about a run, which may take a while; empty if there is none.
std::string line_about(const std::string& told, const std::string& run) {
  std::string found;
  wait_until([&] {
    for (const std::string& line : lines_of(read_text(told))) {
      found = line.find(run + '"') != std::string::npos ? line : found;
    }
    return !found.empty();
  });
  return found;
}

TEST_CASE("scan --watch: runs are judged as they end, each once") {
  const TemporaryFolder folder;
  folder.write("store/t/1/history.edn", whole(kRead));
  folder.write("store/t/1/results.edn", "{:valid? true}");
  folder.write("store/t/2/history.edn", kAborted);
  const std::string told = folder / "told";
  const fs::path latest = folder.path() / "store" / "t" / "latest";
  Child child(
      {"scan", "--watch", "--write-results", "-o", "jsonl", "-c", "serializable", folder / "store"},
      told);
  CHECK(line_about(told, "t/1").find(R"("serializable": "valid")") != std::string::npos);

  // Another test ends, and nothing is said of the one that runs.
  folder.write("store/u/3/history.edn", "no history");
  folder.write("store/u/3/results.edn", "{:valid? :unknown}");
  CHECK(line_about(told, "u/3").find(R"("exit-code": 65)") != std::string::npos);
  CHECK(read_text(told).find("t/2\"") == std::string::npos);

  folder.write("store/t/2/history.edn", whole(kAbortedRead));
  fs::create_directory_symlink("2", latest);
  CHECK(line_about(told, "t/2").find(R"("anomalies": ["G1a"])") != std::string::npos);
  CHECK(read_text(folder / "store/t/2/elapid/results.edn").starts_with("{:valid? false\n"));
  CHECK(read_text(folder / "store/t/2/elapid/summary.txt").starts_with("Not serializable: G1a "));

  // Its results make it no other run.
  folder.write("store/t/2/results.edn", "{:valid? false}");
  folder.write("store/t/4/history.edn", whole(kRead));
  folder.write("store/t/4/results.edn", "{:valid? true}");
  CHECK(line_about(told, "t/4").find(R"("serializable": "valid")") != std::string::npos);
  child.signal(SIGINT);
  CHECK(child.wait() == 1);
  const std::string all = read_text(told);
  CHECK(all.find("1 run has not ended, and will be judged when Jepsen has saved it\n") !=
        std::string::npos);
  CHECK(all.find("t/2\"") == all.rfind("t/2\""));
}

TEST_CASE("scan --watch: a table of runs, which ends with counts and the exit code of a scan") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    fs::create_directories(folder.path() / "store");
    const std::string told = folder / "told";
    Child child({"scan", "--watch", folder / "store"}, told);
    folder.write("store/t/1/test.jepsen", "");
    folder.write("store/t/1/history.edn", whole(kRead));
    fs::remove(folder.path() / "store/t/1/test.jepsen");
    fs::create_directory_symlink("1", folder.path() / "store" / "t" / "latest");
    CHECK(wait_until([&] { return read_text(told).find("  valid") != std::string::npos; }));
    child.signal(signal);
    CHECK(child.wait() == 0);
    CHECK(last_line(read_text(told)) ==
          "1 history: 1 valid, 0 invalid, 0 unknown, 0 unreadable; 0 files passed over");
  }
}

TEST_CASE("scan --watch: ended before anything has ended") {
  const TemporaryFolder folder;
  folder.write("store/t/1/history.edn", kAborted);
  const std::string told = folder / "told";
  Child child({"scan", "--watch", folder / "store"}, told);
  CHECK(wait_until([&] { return read_text(told).find("1 run has not ended") == 0; }));
  child.signal(SIGINT);
  CHECK(child.wait() == 0);
}

}  // namespace
}  // namespace elapid
