// Jepsen's set: lost, unexpected and recovered elements.

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/workloads/known_workloads.h"
#include "harness/generate/random.h"
#include "parsers/read.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

std::string op(const std::string& type, int process, const std::string& f,
               const std::string& value) {
  return "{:type :" + type + ", :process " + std::to_string(process) + ", :f :" + f + ", :value " +
         value + "}\n";
}

/// An operation alone while it runs.
std::string call(const std::string& type, const std::string& f, const std::string& value) {
  return op("invoke", 0, f, f == "read" ? "nil" : value) + op(type, 0, f, value);
}

Verdict judged(const std::string& text, bool elle_compat = false) {
  ReadOptions options;
  options.workload = find_workload("set");
  REQUIRE(options.workload);
  const Result<LoadedHistory> loaded = read_history(memory_source("set.edn", text), options);
  REQUIRE(loaded);
  CheckOptions how;
  how.assumptions.elle_compat = elle_compat;
  const Result<Verdict> verdict = check(loaded.value().history(), how);
  REQUIRE(verdict);
  return verdict.value();
}

/// The entries of the result, as `ok=#{1}`, one a line.
std::map<std::string, std::string> entries(const Verdict& verdict) {
  std::map<std::string, std::string> result;
  for (const ResultEntry& entry : verdict.entries) {
    const auto* number = std::get_if<std::int64_t>(&entry.value);
    result[entry.key] =
        number != nullptr ? std::to_string(*number) : std::get<std::string>(entry.value);
  }
  return result;
}

TEST_CASE("set: what was added is read") {
  const Verdict verdict =
      judged(call("ok", "add", "1") + call("ok", "add", "2") + call("ok", "read", "#{2 1}"));
  CHECK(verdict.validity == Validity::kValid);
  CHECK(entries(verdict)["ok"] == "#{1..2}");
  CHECK(entries(verdict)["acknowledged-count"] == "2");
}

TEST_CASE("set: attempts and acknowledgements are counted of the same adds, late ones included") {
  for (const bool elle_compat : {false, true}) {
    const Verdict verdict = judged(call("ok", "add", "1") + call("ok", "read", "[1]") +
                                       call("ok", "add", "2") + call("info", "add", "3"),
                                   elle_compat);
    CHECK(entries(verdict)["attempt-count"] == "3");
    CHECK(entries(verdict)["acknowledged-count"] == "2");
    CHECK(entries(verdict)["ok-count"] == "1");
  }
}

TEST_CASE("set: lost, unexpected and recovered elements") {
  const Verdict verdict =
      judged(call("ok", "add", "1") + call("info", "add", "2") + call("ok", "add", "3") +
             call("fail", "add", "5") + call("ok", "read", "[1 2 9 5 1]"));
  CHECK(verdict.validity == Validity::kInvalid);
  const std::map<std::string, std::string> expected = {
      {"attempt-count", "4"},   {"acknowledged-count", "2"},
      {"ok-count", "3"},        {"lost-count", "1"},
      {"recovered-count", "2"}, {"unexpected-count", "1"},
      {"ok", "#{1..2 5}"},      {"lost", "#{3}"},
      {"unexpected", "#{9}"},   {"recovered", "#{2 5}"}};
  CHECK(entries(verdict) == expected);
  REQUIRE(verdict.findings.size() == 2);
  CHECK(verdict.findings[0].name == "lost");
  CHECK(verdict.findings[1].name == "unexpected");
}

TEST_CASE("set: the last read that succeeded counts") {
  const std::string add = call("ok", "add", "1");
  CHECK(judged(call("ok", "read", "[]") + add + call("ok", "read", "[1]")).validity ==
        Validity::kValid);
  CHECK(judged(add + call("ok", "read", "[1]") + call("ok", "read", "[]")).validity ==
        Validity::kInvalid);
  CHECK(judged(add + call("ok", "read", "[1]") + call("info", "read", "nil")).validity ==
        Validity::kValid);
}

TEST_CASE("set: never read is unknown") {
  for (const std::string& read :
       {std::string(), call("fail", "read", "nil"), call("ok", "read", "nil")}) {
    const Verdict verdict = judged(call("ok", "add", "1") + read);
    CHECK(verdict.validity == Validity::kUnknown);
    CHECK(entries(verdict)["error"] == "Set was never read");
  }
}

TEST_CASE("set: an add that ends after the read has begun need not show, but for Jepsen") {
  const std::string text = op("invoke", 0, "add", "1") + op("invoke", 1, "read", "nil") +
                           op("ok", 0, "add", "1") + op("ok", 1, "read", "[]");
  CHECK(judged(text).validity == Validity::kValid);
  CHECK(judged(text, true).validity == Validity::kInvalid);
}

TEST_CASE("set: what is added after the read has ended must not show, but for Jepsen") {
  const std::string text = call("ok", "read", "[1]") + call("ok", "add", "1");
  CHECK(judged(text).validity == Validity::kInvalid);
  CHECK(judged(text, true).validity == Validity::kValid);
}

/// A whole operation with its times, a line of a trace in JSON.
std::string whole(int process, const std::string& f, const std::string& value, int invoked,
                  int completed) {
  return R"({"type": "ok", "process": )" + std::to_string(process) + R"(, "f": ")" + f +
         R"(", "value": )" + value + R"(, "invoked": )" + std::to_string(invoked) +
         R"(, "completed": )" + std::to_string(completed) + "}\n";
}

/// The processes whose operations the only finding names.
std::vector<std::int64_t> named_processes(const std::string& text, bool elle_compat = false) {
  ReadOptions options;
  options.workload = find_workload("set");
  const Result<LoadedHistory> loaded = read_history(memory_source("set", text), options);
  REQUIRE(loaded);
  const History& history = loaded.value().history();
  CheckOptions how;
  how.assumptions.elle_compat = elle_compat;
  const Result<Verdict> verdict = check(history, how);
  REQUIRE(verdict);
  REQUIRE(verdict.value().findings.size() == 1);
  std::vector<std::int64_t> processes;
  for (const Actor& actor : verdict.value().findings.front().actors) {
    processes.push_back(history.session_name(history.session(actor.event.txn)));
  }
  return processes;
}

using Processes = std::vector<std::int64_t>;

TEST_CASE("set: of repeated adds the one acknowledged first is named as lost") {
  const std::string late = whole(0, "add", "1", 40, 50);
  const std::string early = whole(1, "add", "1", 10, 20);
  const std::string read = whole(2, "read", "[]", 30, 60);
  CHECK(named_processes(late + early + read) == Processes{1, 2});
  CHECK(named_processes(early + late + read) == Processes{1, 2});
  CHECK(named_processes(late + early + read, true) == Processes{1, 2});
}

TEST_CASE("set: of repeated adds after the read the one begun first is named") {
  const std::string text = call("ok", "read", "[1]") + op("invoke", 1, "add", "1") +
                           op("invoke", 2, "add", "1") + op("ok", 2, "add", "1") +
                           op("info", 1, "add", "1");
  CHECK(named_processes(text) == Processes{0, 1});
}

TEST_CASE("set: elements of any kind") {
  const Verdict verdict =
      judged(call("ok", "add", "\"b\"") + call("ok", "add", ":a") + call("ok", "add", "[1 2]") +
             call("ok", "read", "#{\"b\" :a (1 2)}"));
  CHECK(verdict.validity == Validity::kValid);
  CHECK(entries(verdict)["ok"] == "#{\"b\" :a [1 2]}");
}

TEST_CASE("set: a read of something else than a collection is an error") {
  ReadOptions options;
  options.workload = find_workload("set");
  const auto loaded = read_history(memory_source("set.edn", call("ok", "read", "7")), options);
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().message.find("expected the elements of the set") != std::string::npos);
}

TEST_CASE("set: a counter, and a history with other operations, are none") {
  const auto workload = [](const std::string& text) {
    const auto loaded = read_history(memory_source("h.edn", text), {});
    REQUIRE(loaded);
    return std::string(loaded.value().history().workload().name());
  };
  const std::string add = call("ok", "add", "1");
  CHECK(workload(add + call("ok", "read", "[1]")) == "set");
  CHECK(workload(add + call("ok", "read", "#{}")) == "set");
  CHECK(workload(add + call("ok", "read", "1")) == "counter");
  CHECK(workload(add + call("ok", "remove", "1") + call("ok", "read", "[1]")) == "other");
}

/// A history of adds one after another and a final read, and what became of each element.
struct RandomSet {
  std::string text;
  std::map<int, std::set<std::string>> outcomes;  ///< by element
  std::set<int> shown;
};

RandomSet random_set(std::uint64_t seed) {
  Random random(seed);
  RandomSet made;
  const std::vector<std::string> types = {"ok", "ok", "info", "fail"};
  for (std::size_t i = random.below(8); i > 0; --i) {
    const int element = static_cast<int>(random.below(6));
    const std::string& type = random.pick(types);
    made.text += call(type, "add", std::to_string(element));
    made.outcomes[element].insert(type);
  }
  std::string read;
  for (int element = 0; element < 7; ++element) {
    if (random.percent(made.outcomes.contains(element) ? 85 : 5)) {
      made.shown.insert(element);
      read += (read.empty() ? "" : " ") + std::to_string(element);
    }
  }
  made.text += call("ok", "read", "[" + read + "]");
  return made;
}

TEST_CASE("set: random histories are judged by the definition") {
  for (std::uint64_t seed = 1; seed <= case_count(2000); ++seed) {
    const RandomSet made = random_set(seed);
    std::size_t lost = 0;
    std::size_t unexpected = 0;
    std::size_t recovered = 0;
    for (int element = 0; element < 7; ++element) {
      const auto outcome = made.outcomes.find(element);
      const bool is_tried = outcome != made.outcomes.end();
      const bool is_acknowledged = is_tried && outcome->second.contains("ok");
      const bool is_shown = made.shown.contains(element);
      lost += is_acknowledged && !is_shown ? 1 : 0;
      unexpected += is_shown && !is_tried ? 1 : 0;
      recovered += is_shown && is_tried && !is_acknowledged ? 1 : 0;
    }
    for (const bool elle_compat : {false, true}) {
      INFO(made.text);
      const Verdict verdict = judged(made.text, elle_compat);
      auto found = entries(verdict);
      CHECK((verdict.validity == Validity::kValid) == (lost + unexpected == 0));
      CHECK(found["lost-count"] == std::to_string(lost));
      CHECK(found["unexpected-count"] == std::to_string(unexpected));
      CHECK(found["recovered-count"] == std::to_string(recovered));
    }
  }
}

}  // namespace
}  // namespace elapid
