#include "parsers/jepsen_binary/jepsen_binary_format.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"
#include "parsers/jepsen/edn_format.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/parsers/jepsen_binary/files.h"

namespace elapid {
namespace {

/// As write_jepsen_binary makes it from EDN.
std::string written(const std::string& edn) {
  const auto source = memory_source("h.edn", edn);
  const auto parsed = read_edn_history(*source, {});
  REQUIRE(parsed);
  const Target& target = kJepsenBinaryFormat.targets.front();
  const auto plan = Plan::make(parsed.value(), parsed.value().workload(), target,
                               {.details = [&](SourcePosition position) {
                                 return read_edn_event_details(*source, position.offset);
                               }});
  REQUIRE(plan);
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "test.jepsen").string();
  auto out = OutputFile::create(path);
  REQUIRE(out);
  REQUIRE(write_jepsen_binary(plan.value(), out.value()).ok());
  REQUIRE(out.value().commit().ok());
  return file_bytes(path);
}

std::string edn_outcome(const std::string& edn) {
  return summary(read_edn_history(*memory_source("h.edn", edn), {}).value());
}

TEST_CASE("a written test.jepsen gives the history back") {
  const std::string edn =
      R"({:index 0, :time 5, :type :invoke, :process 0, :f :txn, :value [[:append "k" 1] [:r :y nil]]}
{:index 1, :time 6, :type :ok, :process 0, :f :txn, :value [[:append "k" 1] [:r :y [3.5 nil {:a 1}]]], :node "n1", :error [:a (1)]}
{:index 2, :time 7, :type :invoke, :process 1, :f :txn, :value [[:r "k" nil]]}
{:index 3, :time 8, :type :info, :process 1, :f :txn, :value [[:r "k" nil]], :error :timeout})";
  const std::string bytes = written(edn);
  CHECK(bytes.substr(0, 10) == std::string("JEPSEN\0\0\0\1", 10));
  const auto parsed = read_binary(bytes);
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) == edn_outcome(edn));
  const Event ok = history.event(TxnId{0}, EventKind::kCompletion);
  CHECK(ok.index == 1);
  CHECK(ok.time == 6);
  const auto details =
      open_jepsen_binary_details(*memory_source("b", bytes))(ok.position.offset, false);
  REQUIRE(details);
  CHECK(details.value().f == ":txn");
  CHECK(details.value().extras == std::vector<std::pair<std::string, std::string>>{
                                      {":node", "\"n1\""}, {":error", "[:a [1]]"}});
  CHECK(written(edn) == bytes);
}

TEST_CASE("indices with gaps make a file of version 0") {
  const std::string edn =
      "{:index 3, :type :invoke, :process 0, :f :txn, :value [[:w :x 1]]}\n"
      "{:index 7, :type :ok, :process 0, :f :txn, :value [[:w :x 1]], :node \"n1\"}\n";
  const std::string bytes = written(edn);
  CHECK(bytes.substr(0, 10) == std::string("JEPSEN\0\0\0\0", 10));
  const auto parsed = read_binary(bytes);
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == edn_outcome(edn));
  const Event ok = parsed.value().event(TxnId{0}, EventKind::kCompletion);
  CHECK(ok.index == 7);
  CHECK_FALSE(ok.time);
}

TEST_CASE("a long history is written in chunks") {
  std::string edn;
  for (int i = 0; i < 20'000; ++i) {
    for (const char* type : {":invoke", ":ok"}) {
      edn += "{:type " + std::string(type) + ", :process " + std::to_string(i % 7) +
             ", :f :txn, :value [[:append " + std::to_string(i % 100) + ' ' + std::to_string(i) +
             "]]}\n";
    }
  }
  const std::string bytes = written(edn);
  CHECK(outcome(bytes) == edn_outcome(edn));
  const auto last = read_binary(bytes).value().event(TxnId{19'999}, EventKind::kCompletion);
  CHECK(open_jepsen_binary_details(*memory_source("b", bytes))(last.position.offset, false));
}

}  // namespace
}  // namespace elapid
