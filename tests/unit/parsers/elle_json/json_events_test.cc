#include "parsers/elle_json/json_format.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

Result<History> read_json(const std::string& text, const ReadOptions& options = {}) {
  const auto source = memory_source("h.json", text);
  return read_json_history(*source, options, kJsonFormat);
}

/// The transactions, or the error.
std::string json_outcome(const std::string& text, const ReadOptions& options = {}) {
  const auto result = read_json(text, options);
  return result ? summary(result.value()) : result.error().to_string();
}

const std::string kInvoke =
    R"({"index": 0, "time": 10, "type": "invoke", "process": 0, "f": "txn", )"
    R"("value": [["append", "x", 1], ["r", "y", null]]})";
const std::string kNemesis =
    R"({"index": 1, "time": 15, "type": "info", "process": "nemesis", "f": "start", "value": {"n": 1}})";
const std::string kOk = R"({"index": 2, "time": 20, "type": "ok", "process": 0, "f": "txn", )"
                        R"("value": [["append", "x", 1], ["r", "y", [3, 4]]]})";
const std::string kJsonSample = "[" + kInvoke + ",\n" + kNemesis + ",\n" + kOk + "]\n";
const std::string kJsonSummary = R"(0 ok [:append "x" 1] [:r "y" (3 4)])";

TEST_CASE("JSON history of one array") {
  const auto result = read_json(kJsonSample);
  REQUIRE(result);
  const History& history = result.value();
  CHECK(summary(history) == kJsonSummary);
  CHECK(result.value().workload() == Workload::kListAppend);
  CHECK(history.info().format == "json");
  CHECK(history.info().files == std::vector<std::string>{"h.json"});
  CHECK(history.info().event_count == 3);
  CHECK(history.info().source_bytes == kJsonSample.size());
  CHECK(history.info().remarks.empty());
  REQUIRE(history.info().nemesis);
  const NemesisEvent& fault = history.info().nemesis->events.at(0);
  CHECK(fault.time == 15);
  CHECK(fault.process == "nemesis");
  CHECK(fault.f == "start");
  CHECK(fault.value == "{:n 1}");
  CHECK(history.info().assumptions ==
        std::vector<std::string>{"The workload is list-append: something is appended."});
}

TEST_CASE("JSON events keep index, time and place") {
  const auto result = read_json(kJsonSample);
  REQUIRE(result);
  const Event ok = result.value().event(TxnId{0}, EventKind::kCompletion);
  CHECK(ok.index == 2);
  CHECK(ok.time == 20);
  CHECK(ok.position.offset == kJsonSample.find(kOk));
  CHECK(result.value().event(TxnId{0}, EventKind::kInvocation).position.offset == 1);
}

TEST_CASE("JSON histories of one object a line, or of objects behind one another") {
  CHECK(json_outcome(kInvoke + "\n" + kNemesis + "\n" + kOk + "\n") == kJsonSummary);
  CHECK(json_outcome(kInvoke + "\r\n\r\n" + kOk) == kJsonSummary);
  CHECK(json_outcome(kInvoke + kNemesis + kOk) == kJsonSummary);
}

TEST_CASE("The order of keys does not matter in JSON") {
  std::vector<std::string> entries = {
      R"("index": 0)",   R"("time": 5)",  R"("type": "ok")",
      R"("process": 3)", R"("f": "txn")", R"("value": [["w", "x", 1], ["r", "x", 1]])"};
  std::sort(entries.begin(), entries.end());
  do {
    std::string object;
    for (const std::string& entry : entries) {
      object += (object.empty() ? "{" : ", ") + entry;
    }
    REQUIRE(json_outcome(object + "}") == R"(3 ok [:w "x" 1] [:r "x" 1])");
  } while (std::next_permutation(entries.begin(), entries.end()));
}

TEST_CASE("The workload of a JSON history is that of the first write or else of the reads") {
  const auto workload = [](const std::string& text) { return read_json(text).value().workload(); };
  const std::string ok = R"({"type": "ok", "process": 0, "value": )";
  CHECK(workload(ok + R"([["r", 1, [2]], ["w", 1, 2]]})") == Workload::kRwRegister);
  CHECK(workload(ok + R"([["r", 1]]})" + ok + R"([["append", 1, 2]]})") == Workload::kListAppend);
  CHECK(workload(ok + R"([["r", 1, [2]]]})") == Workload::kListAppend);
  CHECK(workload(ok + R"([["r", 1, 2]]})") == Workload::kRwRegister);
  CHECK(workload(ok + R"([["cas", 1, 2]]})") == Workload::kOther);
}

TEST_CASE("A given workload decides what a JSON read is") {
  const std::string text =
      R"({"type": "ok", "process": 0, "value": [["r", 1, [2, 3]], ["r", 2], ["r", 3, null]]})";
  CHECK(json_outcome(text, {.workload = Workload::kRwRegister}) ==
        "0 ok [:r 1 [2 3]] [:r 2 nil] [:r 3 nil]");
  CHECK(json_outcome(text, {.workload = Workload::kListAppend}) ==
        "0 ok [:r 1 (2 3)] [:r 2 nil] [:r 3 nil]");
}

TEST_CASE("Keys and values of JSON histories may be anything") {
  CHECK(json_outcome(R"({"type": "ok", "process": 0, "value": [["w", "k", {"b": 1, "a": "x"}],
      ["w", [1], true], ["w", 1.0, 1e3], ["w", 99999999999, -99999999999999999999],
      ["w", null, "1"], ["w", "type", {"type": "y"}]]})") ==
        R"(0 ok [:w "k" {:a "x" :b 1}] [:w [1] true] [:w 1.0 1000.0] )"
        R"([:w 99999999999 -99999999999999999999N] [:w nil "1"] [:w "type" {:type :y}])");
}

TEST_CASE("JSON micro-operations of other workloads keep their names, and have no place in lists") {
  const std::string text = R"({"type": "ok", "process": 0,
                    "value": [["append", 1, 2], ["send", "k", [3, {}]], ["poll"]]})";
  CHECK(json_outcome(text, {.elle_compat = true}) ==
        R"(0 ok [:append 1 2] [:send "k"] [:poll nil])");
  CHECK(json_outcome(text, {.workload = Workload::kOther}) ==
        R"(0 ok [:append 1 2] [:send "k"] [:poll nil])");
  CHECK(json_outcome(text) ==
        "h.json:2:50: expected operations of list-append, `append` and `r`, found `send`");
}

TEST_CASE("JSON events of others than clients are counted and skipped whatever they hold") {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  for (const std::string& value :
       {std::string("5"), std::string("[1, 2]"), std::string(R"([["r"]])"), std::string("{}"),
        std::string(R"([["r", 1, 2, 3]])"), deep, R"([["r", )" + deep + "]]"}) {
    INFO(value.substr(0, 40));
    const auto result =
        read_json(R"({"type": "info", "process": "nemesis", "value": )" + value + "}" +
                  R"({"type": "ok", "process": 0, "value": [["append", 1, 2]]})");
    REQUIRE(result);
    CHECK(summary(result.value()) == "0 ok [:append 1 2]");
    CHECK(result.value().info().event_count == 2);
  }
}

TEST_CASE("A client's value in JSON must be made of micro-operations") {
  const auto error = [](const std::string& value) {
    return json_outcome(R"({"value": )" + value + R"(, "type": "ok", "process": 0})");
  };
  CHECK(error("5") == "h.json:1:11: expected an array of micro-operations, found `5`");
  CHECK(error("[1]") ==
        R"(h.json:1:12: expected a micro-operation such as ["r", "x", null], found `1` )"
        "(for [key value] tuples see the option independent)");
  CHECK(error("[[]]") ==
        "h.json:1:12: expected a micro-operation, which begins with a function, found an array");
  CHECK(error("[[1, 2]]") ==
        "h.json:1:13: expected a string as the function of a micro-operation, found `1`");
  CHECK(error(R"([["r"]])") ==
        "h.json:1:12: expected a micro-operation with a key, found an array");
  CHECK(error(R"([["w", 1]])") ==
        "h.json:1:12: expected a micro-operation with a value, found an array");
  CHECK(error(R"([["w", 1, 2, 3]])") ==
        "h.json:1:24: expected the end of this micro-operation, found `3`");
  CHECK(error(R"([["append", 1, 2], ["r", 1, "x"]])") ==
        "h.json:1:39: expected an array of elements or null, found `\"x\"`");
  CHECK(error("[]") == "0 ok");
  CHECK(error("null") == "0 ok");
}

TEST_CASE("A process in JSON is a client if it is an integer") {
  const auto result = read_json(R"({"type": "info", "process": "3", "value": [1]}
                              {"type": "info", "process": 1.0}
                              {"type": "info", "process": [1]}
                              {"type": "info", "process": "nemesis"}
                              {"type": "ok", "process": 3, "value": [["w", 1, 2]]})");
  REQUIRE(result);
  const History& history = result.value();
  CHECK(summary(history) == "3 ok [:w 1 2]");
  const auto& remarks = history.info().remarks;
  CHECK(std::count_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
          return remark.kind == Remark::Kind::kOddProcess;
        }) == 3);
  CHECK(remarks.front().position.offset == 0);
}

TEST_CASE("A client's operation in JSON whose process has a name is refused") {
  const std::string ok = R"({"type": "ok", "process": 0, "f": "read", "value": [["r", "x", 1]]})";
  for (const std::string& named :
       {std::string(R"({"type": "ok", "process": "c-1", "value": [["w", "x", 1]]})"),
        std::string(R"({"type": "ok", "process": "c-1", "f": "txn"})"),
        std::string(R"({"type": "ok", "process": "c-1", "f": "read", "value": null})")}) {
    INFO(named);
    const std::string message =
        ": expected an integer as the process of a client's operation, found `c-1`";
    CHECK(json_outcome('[' + named + ",\n" + ok + ']') == "h.json:1:2" + message);
    CHECK(json_outcome('[' + ok + ",\n" + named + ']') == "h.json:2:1" + message);
    CHECK(json_outcome('[' + ok + ",\n" + named + ']', {.elle_compat = true}) ==
          R"(0 ok [:r "x" 1])");
    const auto linted = read_json('[' + ok + ",\n" + named + ']', {.for_lint = true});
    REQUIRE(linted);
    CHECK(linted.value().info().remarks.size() == 1 + 1);  // and that it has no invocation
  }
  const auto fault =
      json_outcome('[' + ok + R"(,{"type": "info", "process": "chaos", "f": "kill"}])");
  CHECK(fault == R"(0 ok [:r "x" 1])");
}

TEST_CASE("JSON operations without process are sessions or dropped as Elle drops them") {
  const std::string text = R"({"type": "invoke", "value": [["w", 1, 2]]}
                              {"type": "ok", "process": null, "value": [["w", 1, 2]]}
                              {"type": "info", "value": 3})";
  const auto result = read_json(text);
  REQUIRE(result);
  CHECK(summary(result.value()) == "-1 ok [:w 1 2]");
  CHECK_FALSE(result.value().info().has_process);
  CHECK(json_outcome(text, {.elle_compat = true}).empty());
}

TEST_CASE("Equal keys in JSON are remarked on, and the last counts") {
  const auto result = read_json(R"([{"type": "fail", "process": 0, "type": "ok", "value": []}])");
  REQUIRE(result);
  CHECK(summary(result.value()) == "0 ok");
  const auto& remarks = result.value().info().remarks;
  const auto twice = std::find_if(remarks.begin(), remarks.end(), [](const Remark& remark) {
    return remark.kind == Remark::Kind::kOther;
  });
  REQUIRE(twice != remarks.end());
  CHECK(twice->message == "an object has the key `\"type\"` twice; the last one counts");
  CHECK(twice->position.offset == 32);
}

TEST_CASE("A byte order mark before JSON is remarked on") {
  const auto result = read_json("\xef\xbb\xbf" + kJsonSample);
  REQUIRE(result);
  CHECK(summary(result.value()) == kJsonSummary);
  CHECK(result.value().info().remarks.front().kind == Remark::Kind::kByteOrderMark);
}

TEST_CASE("What is not a JSON history is refused with its place") {
  for (const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"", "h.json:1:1: expected operations, found none"},
           {" []", "h.json:1:1: expected operations, found none"},
           {"[3]", "h.json:1:2: element 1 is `3`, not an operation object"},
           {R"({"type": "info"} null)", "h.json:1:18: element 2 is null, not an operation object"},
           {"[[]]", "h.json:1:2: element 1 is an array, not an operation object"},
           {R"({"valid?": true})", "h.json:1:1: this is a results file, not a history"},
           {R"([{"f": "txn"}])", "h.json:1:2: expected an operation, found one without :type"},
           {R"({"type": "done"})",
            R"(h.json:1:10: expected "invoke", "ok", "fail" or "info" as "type", found `"done"`)"},
           {R"({"type": 1})",
            R"(h.json:1:10: expected "invoke", "ok", "fail" or "info" as "type", found `1`)"},
           {R"({"type": "ok", "index": 1.5})",
            "h.json:1:25: expected an integer of 64 bits as \"index\", found `1.5`"},
           {R"({"type": "ok", "index": 9223372036854775808})",
            "h.json:1:25: expected an integer of 64 bits as \"index\", found "
            "`9223372036854775808`"},
       }) {
    CHECK(json_outcome(text) == error);
  }
}

TEST_CASE("A process that invokes twice in JSON") {
  const std::string text = kInvoke + "\n" + R"({"index": 1, "type": "invoke", "process": 0})";
  const auto result = read_json(text);
  REQUIRE_FALSE(result);
  CHECK(result.error().line == 2);
  CHECK(read_json(text, {.for_lint = true}).ok());
}

TEST_CASE("JSON cut anywhere is an error or the complete objects before the cut") {
  const std::string lines = kInvoke + "\n" + kNemesis + "\n" + kOk + "\n";
  for (std::size_t size = 0; size < kJsonSample.size() - 2; ++size) {
    REQUIRE_FALSE(read_json(kJsonSample.substr(0, size)));
  }
  const std::size_t first = kInvoke.size();
  const std::size_t second = first + 1 + kNemesis.size();
  for (std::size_t size = 0; size < lines.size(); ++size) {
    const bool is_whole = size == first || size == first + 1 || size == second ||
                          size == second + 1 || size >= lines.size() - 1;
    REQUIRE(read_json(lines.substr(0, size)).ok() == is_whole);
  }
}

TEST_CASE("The reading of JSON can be stopped") {
  ReadOptions options;
  int calls = 0;
  options.progress = [&calls](std::uint64_t done, std::uint64_t total) {
    CHECK(done <= total);
    return ++calls < 3;
  };
  std::string text;
  while (text.size() < (std::size_t{5} << 20)) {
    text +=
        R"({"type": "info", "process": "nemesis", "value": ")" + std::string(1000, 'x') + "\"}\n";
  }
  const auto result = read_json(text, options);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::kUnreadable);
  CHECK(calls == 3);
}

TEST_CASE("JSON events are read again with all they said") {
  const std::string event =
      R"({"type": "fail", "process": 0, "f": "txn", "index": 0, "error": ["timeout", {"f": "x", "n": 1.0}],)"
      R"( "value": [], "node": "n1", "time": 3, "error": [null]})";
  const auto source =
      memory_source("h.json", "[" + event + ", {\"type\": \"info\", \"index\": 1}]");
  REQUIRE(read_json_history(*source, {}, kJsonFormat));
  const auto details = read_json_event_details(*source, 1);
  REQUIRE(details);
  CHECK(details.value().f == ":txn");
  CHECK(details.value().extras ==
        std::vector<std::pair<std::string, std::string>>{{":error", "[nil]"}, {":node", "\"n1\""}});
  const auto bare = read_json_event_details(*source, event.size() + 3);
  REQUIRE(bare);
  CHECK(bare.value().f == "nil");
  CHECK(bare.value().extras.empty());
}

TEST_CASE(
    "Details of JSON events are printed in the order of the source, and never fail on depth") {
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  const auto source = memory_source(
      "h.json", R"({"type": "ok", "f": 3, "b": {"z": 1, "a": 2}, "deep": )" + deep + "}");
  REQUIRE(read_json_history(*source, {}, kJsonFormat));
  const auto details = read_json_event_details(*source, 0);
  REQUIRE(details);
  CHECK(details.value().f == "3");
  CHECK(details.value().extras ==
        std::vector<std::pair<std::string, std::string>>{{":b", "{:z 1, :a 2}"}, {":deep", "..."}});
}

TEST_CASE("Details of a source that has changed are an error") {
  const auto source = memory_source("h.json", "[1]");
  char byte = 0;
  REQUIRE(source->read({&byte, 1}));
  const auto details = read_json_event_details(*source, 1);
  REQUIRE_FALSE(details);
  CHECK(details.error().to_string() == "h.json:1:2: expected an operation object, found `1`");
}

}  // namespace
}  // namespace elapid
