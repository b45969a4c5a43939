#include "parsers/find.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "parsers/read.h"
#include "tests/support/plain_user.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOneAppend = "{:type :ok, :process 0, :f :txn, :value [[:append 1 2]]}\n";

/// What is found below the folder, without its name.
std::vector<std::string> found(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const std::string& path : find_histories(folder.path().string()).paths) {
    names.push_back(path.substr(folder.path().string().size()));
  }
  return names;
}

/// What reading the path says.
std::string error_of(const std::string& path) {
  const Result<LoadedHistory> history = read_history(path, {});
  return history ? "" : history.error().message;
}

TEST_CASE("find: a file is its own only history, whatever it holds") {
  CHECK(find_histories("nowhere.edn").paths == std::vector<std::string>{"nowhere.edn"});
  CHECK(find_histories("-").paths == std::vector<std::string>{"-"});
}

TEST_CASE("find: runs of a store are histories, their files are not") {
  const TemporaryFolder folder;
  folder.write("a/run1/history.edn", kOneAppend);
  folder.write("a/run1/results.edn", "{:valid? true}");
  folder.write("a/run2/history.edn", kOneAppend);
  folder.write("b.edn", kOneAppend);
  folder.write("results.edn", "{:valid? true}");
  folder.write("x.map.json", "{\"keys\": {}}");
  folder.write("b.edn.cert", "{\"elapid-certificate\": 1}");
  folder.write("b.edn.injected.json", "[{\"anomaly\": \"G0\"}]");
  folder.write("matrix.json", "{\"rows\": []}");
  folder.write("g0.scenario", "; two writes\nstart [:w 0 0]\n");
  folder.write(".hidden.edn", kOneAppend);
  CHECK(found(folder) == std::vector<std::string>{"/a/run1", "/a/run2", "/b.edn"});
}

TEST_CASE("find: what looks like no history is passed over, and said to be") {
  const TemporaryFolder folder;
  folder.write("README", "what this is\n");
  folder.write("empty", "");
  folder.write("h.txt", "r(1,0,0,0)\n");
  folder.write("script", "#!/bin/sh\necho\n");
  folder.write("settings.yml", "# nothing\n");
  const FoundHistories result = find_histories(folder.path().string());
  CHECK(result.paths.size() == 1);
  CHECK(result.passed_over.size() == 4);
}

TEST_CASE("find: files that are not wanted are not looked at") {
  const TemporaryFolder folder;
  folder.write("a.edn", kOneAppend);
  folder.write("b.edn", kOneAppend);
  folder.write("c", "no history\n");
  const FoundHistories result = find_histories(
      folder.path().string(), [](const std::string& path) { return path.ends_with("b.edn"); });
  CHECK(result.paths == std::vector<std::string>{(folder.path() / "b.edn").string()});
  CHECK(result.passed_over.empty());
}

TEST_CASE("find: links to directories are not followed") {
  const TemporaryFolder folder;
  folder.write("run/history.edn", kOneAppend);
  std::filesystem::create_directory_symlink(folder.path() / "run", folder.path() / "latest");
  CHECK(found(folder) == std::vector<std::string>{"/run"});
}

TEST_CASE("find: a directory that could be two histories is one, and reading it tells both") {
  const TemporaryFolder folder;
  folder.write("run/history.edn", kOneAppend);
  folder.write("run/T0.log", "S");
  folder.write("valid.edn", kOneAppend);
  CHECK(found(folder) == std::vector<std::string>{"/run", "/valid.edn"});
  CHECK(error_of(folder / "run").find("edn or cobra") != std::string::npos);
}

TEST_CASE("find: a link that leads nowhere may be a history, unless Jepsen has left it behind") {
  const TemporaryFolder folder;
  folder.write("valid.edn", kOneAppend);
  fs::create_symlink("gone.edn", folder.path() / "lost.edn");
  fs::create_symlink("loop.edn", folder.path() / "loop.edn");
  fs::create_directory(folder.path() / "run");
  fs::create_symlink("../gone.edn", folder.path() / "run" / "history.edn");
  for (const char* jepsens : {"latest", "current", ".hidden"}) {
    fs::create_symlink("gone", folder.path() / jepsens);
  }
  CHECK(found(folder) ==
        std::vector<std::string>{"/loop.edn", "/lost.edn", "/run/history.edn", "/valid.edn"});
  CHECK(error_of(folder / "lost.edn") == "cannot be opened: No such file or directory");
  CHECK(error_of(folder / "loop.edn") == "cannot be opened: Too many levels of symbolic links");
}

TEST_CASE("find: what may not be read may be a history") {
  const TemporaryFolder folder;
  folder.write("valid.edn", kOneAppend);
  folder.write("secret.edn", kOneAppend);
  folder.write("closed/history.edn", kOneAppend);
  folder.write("listed/history.edn", kOneAppend);
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(folder.path() / "secret.edn", fs::perms::none);
  fs::permissions(folder.path() / "closed", fs::perms::none);
  fs::permissions(folder.path() / "listed", fs::perms(0444));  // may be listed, but not entered
  {
    const PlainUser user;
    const std::vector<std::string> names = found(folder);
    REQUIRE(names.size() == 4);
    CHECK(names[0] == "/closed");
    CHECK(names[1].starts_with("/listed"));
    CHECK(names[2] == "/secret.edn");
    CHECK(names[3] == "/valid.edn");
    for (std::size_t i = 0; i < 3; ++i) {
      INFO(names[i]);
      CHECK(error_of(folder.path().string() + names[i]).ends_with(": Permission denied"));
    }
    const FoundHistories itself = find_histories(folder / "closed");
    CHECK(itself.paths == std::vector<std::string>{folder / "closed"});
  }
  fs::permissions(folder.path() / "closed", fs::perms(0755));
  fs::permissions(folder.path() / "listed", fs::perms(0755));
}

}  // namespace
}  // namespace elapid
