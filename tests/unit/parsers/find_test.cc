#include "parsers/find.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/parsers/temporary_folder.h"

namespace elapid {
namespace {

constexpr const char* kOneAppend = "{:type :ok, :process 0, :f :txn, :value [[:append 1 2]]}\n";

/// What is found below the folder, without its name.
std::vector<std::string> found(const TemporaryFolder& folder) {
  Result<FoundHistories> result = find_histories(folder.path().string());
  REQUIRE(result);
  std::vector<std::string> names;
  for (const std::string& path : result.value().paths) {
    names.push_back(path.substr(folder.path().string().size()));
  }
  return names;
}

TEST_CASE("find: a file is its own only history, whatever it holds") {
  const Result<FoundHistories> result = find_histories("nowhere.edn");
  REQUIRE(result);
  CHECK(result.value().paths == std::vector<std::string>{"nowhere.edn"});
  CHECK(find_histories("-").value().paths == std::vector<std::string>{"-"});
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
  const Result<FoundHistories> result = find_histories(folder.path().string());
  REQUIRE(result);
  CHECK(result.value().paths.size() == 1);
  CHECK(result.value().passed_over.size() == 4);
}

TEST_CASE("find: links to directories are not followed") {
  const TemporaryFolder folder;
  folder.write("run/history.edn", kOneAppend);
  std::filesystem::create_directory_symlink(folder.path() / "run", folder.path() / "latest");
  CHECK(found(folder) == std::vector<std::string>{"/run"});
}

TEST_CASE("find: a directory that could be two histories is refused with both") {
  const TemporaryFolder folder;
  folder.write("run/history.edn", kOneAppend);
  folder.write("run/T0.log", "S");
  const Result<FoundHistories> result = find_histories(folder.path().string());
  REQUIRE_FALSE(result);
  CHECK(result.error().message.find("edn or cobra") != std::string::npos);
}

}  // namespace
}  // namespace elapid
