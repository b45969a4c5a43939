#include "parsers/read.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <string>

#include "engine/workloads/table.h"
#include "parsers/formats.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

const std::string kEdn =
    "{:type :invoke, :process 0, :f :txn, :value [[:append 1 2]]}\n"
    "{:type :ok, :process 0, :f :txn, :value [[:append 1 2]], :node \"n1\"}\n";
const std::string kJson =
    R"([{"type": "invoke", "process": 0, "f": "txn", "value": [["append", 1, 2]]},)"
    "\n"
    R"({"type": "ok", "process": 0, "f": "txn", "value": [["append", 1, 2]], "node": "n1"}])";

TEST_CASE("names of formats and workloads go both ways") {
  for (const Format* format : formats()) {
    CHECK(find_format(format->name) == FormatName{format});
  }
  for (const Workload workload : {Workload::kListAppend, Workload::kRwRegister, Workload::kOther}) {
    CHECK(find_workload(workload.name()) == workload);
  }
  CHECK_FALSE(find_format("bank"));
  CHECK_FALSE(find_workload("edn"));
}

TEST_CASE("a history is read in the format it is in") {
  for (const auto& [text, format] : {std::pair(kEdn, "edn"), std::pair(kJson, "json")}) {
    const auto loaded = read_history(memory_source("h", text), {});
    REQUIRE(loaded);
    CHECK(elapid::text(loaded.value().format()) == format);
    CHECK_FALSE(loaded.value().format_reason().empty());
    CHECK(loaded.value().history().workload() == Workload::kListAppend);
    CHECK(summary(loaded.value().history()) == "0 ok [:append 1 2]");
  }
}

TEST_CASE("the format and the workload can be asked for") {
  const std::string json = R"([{"type": "ok", "process": 0, "f": "txn", "value": [["r", 1, 2]]}])";
  const auto loaded = read_history(memory_source("h", json), {.format = find_format("jsonl"),
                                                              .workload = Workload::kRwRegister});
  REQUIRE(loaded);
  CHECK(text(loaded.value().format()) == "jsonl");
  CHECK(loaded.value().history().info().format == "jsonl");
  CHECK(loaded.value().format_reason() == "it was asked for");
  CHECK(loaded.value().history().workload() == Workload::kRwRegister);
  CHECK_FALSE(read_history(memory_source("h", kJson), {.format = find_format("edn")}));
}

TEST_CASE("an event is found and read again in each format") {
  for (const std::string& text : {kEdn, kJson}) {
    auto loaded = read_history(memory_source("h", text), {});
    REQUIRE(loaded);
    const Event ok = loaded.value().history().event(TxnId{0}, EventKind::kCompletion);
    CHECK(loaded.value().line_column(ok.position).line == 2);
    CHECK(loaded.value().line_column(ok.position).column == 1);
    const auto details = loaded.value().details(ok.position);
    REQUIRE(details);
    CHECK(details.value().f == ":txn");
    CHECK(details.value().extras ==
          std::vector<std::pair<std::string, std::string>>{{":node", "\"n1\""}});
  }
}

TEST_CASE("the line of a position, whole or not at all") {
  const std::string text =
      "{:type :invoke, :process 0, :f :txn, :value [[:append :x 1]]}\n"
      "{:type :ok, :process 0, :f :txn, :value [[:append :x 1]], :note \"a\"}";
  for (const char* const end : {"", "\n"}) {
    auto loaded = read_history(memory_source("h", text + end), {});
    REQUIRE(loaded);
    const History& history = loaded.value().history();
    const auto line = [&](EventKind kind, std::size_t most) {
      return loaded.value().line_at(history.event(TxnId{0}, kind).position, most);
    };
    CHECK(line(EventKind::kCompletion, 1'000) == text.substr(text.find('\n') + 1));
    CHECK(line(EventKind::kInvocation, 1'000) == text.substr(0, text.find('\n')));
    CHECK_FALSE(line(EventKind::kCompletion, 60));
    CHECK_FALSE(line(EventKind::kInvocation, 60));
  }
}

TEST_CASE("a file and a store directory are read, through a link as well") {
  const TemporaryFolder folder;
  const fs::path run = folder.path() / "run";
  fs::create_directory(run);
  folder.write("run/history.edn", kEdn);
  fs::create_directory_symlink("run", folder.path() / "latest");
  for (const fs::path& path : {run / "history.edn", run, folder.path() / "latest"}) {
    const auto loaded = read_history(path.string(), {});
    REQUIRE(loaded);
    CHECK(loaded.value().history().txn_count() == 1);
    CHECK(fs::path(loaded.value().history().info().files.front()).filename() == "history.edn");
  }
}

TEST_CASE("what cannot be opened is an error that says why") {
  const TemporaryFolder folder;
  const auto missing = read_history((folder.path() / "none").string(), {});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::kUnreadable);
  const auto empty_folder = read_history(folder.path().string(), {});
  REQUIRE_FALSE(empty_folder);
  CHECK(empty_folder.error().kind == ErrorKind::kUnreadable);
  CHECK(empty_folder.error().to_string() ==
        folder.path().string() +
            ": is a directory without a history: it has none of history.edn, test.jepsen, "
            "test.fressian, logs of Cobra, logs of Vbox, history.bincode, logs of Viper");
  folder.write("empty", "");
  const auto empty = read_history((folder.path() / "empty").string(), {});
  REQUIRE_FALSE(empty);
  CHECK(empty.error().kind == ErrorKind::kMalformed);
}

/// A summary in which `:x` and `"x"` look the same.
std::string without_types(std::string summary) {
  std::erase_if(summary, [](char c) { return c == ':' || c == '"'; });
  return summary;
}

TEST_CASE("twins in EDN and JSON give the same history but for the types of keys") {
  const fs::path folder = fs::path(ELAPID_SHARED) / "corpus/elle-cli/histories/elle";
  if (!fs::exists(folder)) {
    std::cerr << "SKIPPED: there is no " << folder << '\n';
    return;
  }
  for (const std::string& stem : {std::string("paper-example"), std::string("rw-register")}) {
    const auto edn = read_history((folder / (stem + ".edn")).string(), {});
    const auto json = read_history((folder / (stem + ".json")).string(), {});
    REQUIRE(edn);
    REQUIRE(json);
    const History& a = edn.value().history();
    const History& b = json.value().history();
    CHECK(edn.value().history().workload() == json.value().history().workload());
    CHECK(a.txn_count() > 0);
    CHECK(a.info().event_count == b.info().event_count);
    CHECK(without_types(summary(a)) == without_types(summary(b)));
    for (TxnId txn{0}; txn.index() < a.txn_count(); ++txn.value) {
      CHECK(a.event(txn, EventKind::kInvocation).index ==
            b.event(txn, EventKind::kInvocation).index);
      CHECK(a.event(txn, EventKind::kCompletion).index ==
            b.event(txn, EventKind::kCompletion).index);
    }
  }
}

TEST_CASE("samples of the format documents") {
  const fs::path folder = fs::path(ELAPID_SHARED) / "formats/samples/elle-json";
  if (!fs::exists(folder)) {
    std::cerr << "SKIPPED: there is no " << folder << '\n';
    return;
  }
  const auto good = read_history((folder / "list-append.json").string(), {});
  REQUIRE(good);
  CHECK(good.value().history().workload() == Workload::kListAppend);
  const auto lines = read_history((folder / "bad-lines.jsonl").string(), {});  // bad for elle-cli
  REQUIRE(lines);
  CHECK(text(lines.value().format()) == "jsonl");
  CHECK(summary(lines.value().history()) == summary(good.value().history()));
  const auto bank = read_history((folder / "bank.json").string(), {});
  REQUIRE(bank);
  CHECK(bank.value().history().workload().name() == "bank");
  const auto bad = read_history((folder / "bad-truncated.json").string(), {});
  REQUIRE_FALSE(bad);
  CHECK(bad.error().kind == ErrorKind::kMalformed);
  CHECK(bad.error().line);
  CHECK(bad.error().column);
}

}  // namespace
}  // namespace elapid
