// The recorder format: docs/recorder-format.md is read here as it stands.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/rows/rows.h"
#include "engine/rows/text.h"
#include "parsers/elle_json/json_format.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

Result<History> read_recorder(const std::string& text, const ReadOptions& options = {}) {
  const auto source = memory_source("h.jsonl", text);
  return read_json_history(*source, options, kJsonlFormat);
}

std::string recorder_outcome(const std::string& text, const ReadOptions& options = {}) {
  const auto result = read_recorder(text, options);
  return result ? std::string(result.value().workload().name()) + ": " + summary(result.value())
                : result.error().to_string();
}

/// The example of this name in the documentation.
std::string example(const std::string& name) {
  const std::filesystem::path path =
      std::filesystem::path(ELAPID_TEST_DATA) / "../../docs/recorder-format.md";
  std::ifstream file(path);
  REQUIRE(file);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string fence = "```jsonl " + name + "\n";
  const std::size_t begin = text.find(fence);
  REQUIRE(begin != std::string::npos);
  const std::size_t first = begin + fence.size();
  return text.substr(first, text.find("```", first) - first);
}

const std::string kHeader = R"({"format": "elapid/1"})"
                            "\n";

/// A whole transaction.
std::string line(const std::string& rest) {
  return R"({"type": "ok", "process": 0, "value": [["w", 1, 2]], )" + rest + "}\n";
}

TEST_CASE("the documented events are read behind the documented header") {
  const std::string expected = "list-append: 0 ok [:append 5 1] [:r 6 ()]; 1 info [:append 6 1]";
  CHECK(recorder_outcome(example("events")) == expected);
  const auto result = read_recorder(example("header") + example("events"));
  REQUIRE(result);
  CHECK(recorder_outcome(example("header") + example("events")) == expected);
  const HistoryInfo& info = result.value().info();
  CHECK(info.assumptions ==
        std::vector<std::string>{"The workload is list-append, as the header says.",
                                 "Keys hold nil before the first write, as the header says.",
                                 "Times of all processes are of one clock, `\"monotonic-ns\"`, as "
                                 "the header says."});
  CHECK(info.format == "jsonl");
  CHECK(info.has_real_time);
  CHECK_FALSE(info.is_session_trace);
  const Event ok = result.value().event({0}, EventKind::kCompletion);
  CHECK(ok.index == 2);
  CHECK(ok.time == 3418840);
}

TEST_CASE("the documented whole transactions are read with their times") {
  const auto result = read_recorder(example("transactions"));
  REQUIRE(result);
  const History& history = result.value();
  CHECK(recorder_outcome(example("transactions")) ==
        R"(rw-register: 0 ok [:w "x" 1] [:r "y" nil]; 0 fail [:w "y" 2]; 1 info [:w "y" 3]; )"
        R"(2 ok [:r "y" 3])");
  CHECK(history.info().is_session_trace);
  CHECK(history.info().has_real_time);
  CHECK(history.start_timestamp({0}) == 17);
  CHECK(history.commit_timestamp({0}) == 21);
  CHECK_FALSE(history.start_timestamp({1}));
  CHECK(history.event({0}, EventKind::kInvocation).time == 1002310);
  CHECK(history.event({0}, EventKind::kCompletion).time == 3418840);
  CHECK(history.completion_id({0}) < history.invocation_id({3}));
  CHECK(history.invocation_id({2}) < history.completion_id({0}));
}

TEST_CASE("the documented registers are read") {
  CHECK(recorder_outcome(example("registers")) ==
        "cas-register: 0 ok [:w nil 1]; 1 ok [:r nil 1] [:w nil 2]; "
        "2 fail [:r nil 5] [:w nil 6]; 0 ok [:r nil 2]");
}

TEST_CASE("the documented rows are read") {
  const auto result = read_recorder(example("rows"));
  INFO((result ? "" : result.error().to_string()));
  REQUIRE(result);
  const History& history = result.value();
  CHECK(history.workload() == Workload::kRows);
  CHECK(history.info().initial_txn == TxnId{0});
  REQUIRE(history.info().rows);
  CHECK(history.info().rows->is_closed());
  CHECK(history.info().rows->predicate_count() == 5);
  CHECK(rows::text(history, history.ops(TxnId{1}).front()) == "[:rp [:in :age 13 19] {}]");
  CHECK(rows::text(history, history.ops(TxnId{5}).back()) == "[:dp [:key 1 9]]");
}

TEST_CASE("the documented rows of several tables are read") {
  const auto result = read_recorder(example("tables"));
  INFO((result ? "" : result.error().to_string()));
  REQUIRE(result);
  const History& history = result.value();
  CHECK(history.workload() == Workload::kRows);
  CHECK(rows::text(history, history.ops(TxnId{2}).front()) ==
        R"([:rp [:and [:= :table "nurses"] [:in :id 1 9]] #{["nurses" 1]}])");
  CHECK(rows::text(history, history.ops(TxnId{2}).back()) == R"([:r ["doctors" 2] nil])");
}

TEST_CASE("rows tell their workload without a header, and a header that the universe is open") {
  const std::string ok = R"({"type": "ok", "process": 0, "value": [["delete", 1]]})";
  const auto closed = read_recorder(ok);
  REQUIRE(closed);
  CHECK(closed.value().workload() == Workload::kRows);
  CHECK(closed.value().info().rows->is_closed());
  const auto open =
      read_recorder(R"({"format": "elapid/1", "workload": "rows", "universe": "open"})" + ok);
  REQUIRE(open);
  CHECK_FALSE(open.value().info().rows->is_closed());
}

TEST_CASE("a header decides on workload and initial value unless the caller does") {
  const std::string header =
      R"({"format": "elapid/1", "workload": "rw-register", "initial": {"b": 1, "a": 0}, "x": 1})";
  const std::string ok = R"({"type": "ok", "process": 0, "value": [["r", 1, [2]]]})";
  const auto result = read_recorder(header + ok);
  REQUIRE(result);
  CHECK(result.value().workload() == Workload::kRwRegister);
  CHECK(result.value().text(result.value().info().initial) == "{:a 0 :b 1}");
  const auto overridden =
      read_recorder(header + ok, {.workload = Workload::kListAppend, .initial = "7"});
  REQUIRE(overridden);
  CHECK(overridden.value().workload() == Workload::kListAppend);
  CHECK(overridden.value().info().initial == ValueId::integer(7));
  CHECK(recorder_outcome("[" + kHeader + ", " + ok + "]") == "list-append: 0 ok [:r 1 (2)]");
}

TEST_CASE("without a common clock whole transactions have no real time") {
  const std::string header = R"({"format": "elapid/1", "clock": "none"})";
  const auto result = read_recorder(header + line(R"("invoked": 1, "completed": 2)"));
  REQUIRE(result);
  CHECK_FALSE(result.value().info().has_real_time);
}

TEST_CASE("what is wrong with a header is said") {
  for (
      const auto& [text, error] : std::vector<std::pair<std::string, std::string>>{
          {R"({"format": "elapid/2"})",
           R"(h.jsonl:1:12: expected "elapid/1" as "format", found `"elapid/2"`)"},
          {R"({"format": 1})", R"(h.jsonl:1:12: expected "elapid/1" as "format", found `1`)"},
          {R"({"format": "elapid/1", "workload": "banque"})",
           R"(h.jsonl:1:36: expected "list-append", "rw-register", "cas-register", "rows" or "other" )"
           R"(as "workload", found `"banque"`)"},
          {R"({"format": "elapid/1", "universe": true})",
           R"(h.jsonl:1:36: expected "open" or "closed" as "universe", found true)"},
          {R"({"format": "elapid/1", "clock": 3})",
           R"(h.jsonl:1:33: expected a string as "clock", found `3`)"},
          {kHeader, "h.jsonl:1:1: expected operations, found none"},
          {kHeader + kHeader, "h.jsonl:2:1: expected an operation, found one without :type"}}) {
    CHECK(recorder_outcome(text) == error);
  }
}

TEST_CASE("a file does not mix events and whole transactions") {
  const std::string whole = line(R"("invoked": 1, "completed": 2)");
  const std::string event = line(R"("time": 1)");
  CHECK(recorder_outcome(whole + event) ==
        "h.jsonl:2:1: expected a whole transaction with the times when it was invoked and "
        "completed, as the operations before are, found an event");
  CHECK(recorder_outcome(event + whole) ==
        "h.jsonl:2:1: expected an event, as the operations before are, found a whole transaction "
        "with the times when it was invoked and completed");
}

TEST_CASE("times of whole transactions must be there and in order") {
  const auto error = [](const std::string& rest) {
    return recorder_outcome(line(rest)).substr(13);
  };
  CHECK(error(R"("completed": 2)") ==
        "expected the time when the transaction was invoked, found none");
  CHECK(error(R"("invoked": 2)") == "expected the time when the transaction completed, found none");
  CHECK(error(R"("invoked": 2, "completed": 1)") ==
        "expected a transaction that completed after it was invoked, found one that completed "
        "before");
  CHECK(error(R"("invoked": 2, "completed": 3, "type": "invoke")") ==
        "expected a transaction that is ok, fail or info, found an invocation");
  CHECK(error(R"("invoked": 2, "completed": 3, "process": null)") ==
        "expected an integer as the process of a transaction, found none");
  CHECK(recorder_outcome(line(R"("invoked": 1.5)")) ==
        "h.jsonl:1:65: expected an integer of 64 bits as \"invoked\", found `1.5`");
  CHECK(recorder_outcome(line(R"("start_ts": "x")")) ==
        "h.jsonl:1:66: expected an integer of 64 bits as \"start_ts\", found `\"x\"`");
}

TEST_CASE("a process whose transactions overlap is remarked on") {
  const auto result = read_recorder(line(R"("invoked": 1, "completed": 5)") +
                                    line(R"("invoked": 5, "completed": 9)") +
                                    line(R"("invoked": 8, "completed": 10)"));
  REQUIRE(result);
  const auto& remarks = result.value().info().remarks;
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].kind == Remark::Kind::kOverlappingProcess);
}

TEST_CASE("lines of others than clients do not matter among whole transactions") {
  const std::string nemesis =
      R"({"type": "info", "process": "nemesis", "f": "start", "invoked": 1, "index": 4})"
      "\n";
  CHECK(recorder_outcome(nemesis + line(R"("invoked": 1, "completed": 5)")) ==
        "rw-register: 0 ok [:w 1 2]");
  const auto result = read_recorder(nemesis + line(R"("invoked": 1, "completed": 5)"));
  REQUIRE(result);
  REQUIRE(result.value().info().nemesis);
  CHECK(result.value().info().nemesis->events.at(0).time == 1);
}

TEST_CASE("sessions of a recorder may have names") {
  const auto named = [](const std::string& type, const std::string& process,
                        const std::string& value) {
    return R"({"type": ")" + type + R"(", "process": )" + process + R"(, "value": )" + value +
           "}\n";
  };
  const auto result = read_recorder(
      named("invoke", R"("client-1")", R"([["w", "x", 1]])") + named("invoke", "-5", "[]") +
      named("ok", R"("client-1")", R"([["w", "x", 1]])") +
      named("ok", R"("17")", R"([["r", "x", 1]])") + named("ok", "-5", "[]") +
      named("ok", R"("client-1")", R"([["r", "x", 1]])") +
      named("info", R"("nemesis")", R"([["w", "x", 2]])"));
  REQUIRE(result);
  const History& history = result.value();
  CHECK(history.txn_count() == 4);
  CHECK(history.session_count() == 3);
  CHECK(history.session_text({0}) == "client-1");
  CHECK(history.session_text({1}) == "-5");
  CHECK(history.session_text({2}) == R"("17")");
  CHECK(history.session_given_name({0}) == "client-1");
  CHECK_FALSE(history.session_given_name({1}));
  CHECK(history.session_name({0}) == -7);
  CHECK(history.session_name({2}) == -6);
  CHECK(history.session_txns({0}).size() == 2);
  CHECK(history.info().nemesis->events.size() == 1);
}

TEST_CASE("whole transactions of sessions with names are ordered as others") {
  const auto result = read_recorder(
      R"({"type": "ok", "process": "b", "value": [["w", "x", 2]], "invoked": 5, "completed": 6})"
      "\n"
      R"({"type": "ok", "process": "b", "value": [["w", "x", 1]], "invoked": 1, "completed": 2})"
      "\n");
  REQUIRE(result);
  CHECK(summary(result.value()) == "-1 ok [:w \"x\" 1]; -1 ok [:w \"x\" 2]");
  CHECK(result.value().info().has_real_time);
}

TEST_CASE("numbers with a meaning of their own are refused") {
  CHECK(recorder_outcome(line(R"("invoked": -9223372036854775808, "completed": 5)")) ==
        "h.jsonl:1:1: expected times greater than -2^63, found it");
  CHECK(recorder_outcome(R"({"type": "ok", "process": -9223372036854775808, "value": []})") ==
        "h.jsonl:1:1: expected a process of at least -2^62, found a smaller one");
}

TEST_CASE("the header counts for each independent key") {
  const auto read = [](const std::string& header) {
    const auto source = memory_source(
        "h.jsonl", header + "\n" +
                       R"({"type": "ok", "process": 0, "f": "read", "value": ["k", 7]})"
                       "\n"
                       R"({"type": "ok", "process": 0, "f": "write", "value": ["j", 1]})"
                       "\n");
    return read_independent_json(*source, {.independent = true}, kJsonlFormat);
  };
  const auto result =
      read(R"({"format": "elapid/1", "workload": "cas-register", "initial": 7, "clock": "none"})");
  REQUIRE(result);
  REQUIRE(result.value().size() == 2);
  for (const IndependentHistory& one : result.value()) {
    CHECK(one.history.text(one.history.info().initial) == "7");
    CHECK_FALSE(one.history.info().has_real_time);
    CHECK(one.history.info().assumptions.front() ==
          "The workload is cas-register, as the header says.");
  }
  CHECK_FALSE(read(R"({"format": "elapid/9"})"));
}

TEST_CASE("an event of a recorder is read again with all it said") {
  const std::string text =
      kHeader + R"({"type": "ok", "process": 0, "f": "txn", "value": [], "txid": 7})";
  const auto source = memory_source("h.jsonl", text);
  const auto result = read_json_history(*source, {}, kJsonlFormat);
  REQUIRE(result);
  const Event ok = result.value().event({0}, EventKind::kCompletion);
  const auto details = read_json_event_details(*source, ok.position.offset);
  REQUIRE(details);
  CHECK(details.value().extras == std::vector<std::pair<std::string, std::string>>{{":txid", "7"}});
}

TEST_CASE("recorder lines cut anywhere are an error or the whole lines before the cut") {
  const std::string text = kHeader + example("transactions");
  for (std::size_t size = 0; size < text.size(); ++size) {
    INFO(size);
    const auto result = read_recorder(text.substr(0, size));
    const bool at_line_end = text[size] == '\n' || (size > 0 && text[size - 1] == '\n');
    const bool has_operations = size > kHeader.size();
    REQUIRE(result.ok() == (at_line_end && has_operations));
    const auto salvaged = read_recorder(text.substr(0, size), {.salvage = true});
    const bool has_whole_line = text.rfind('\n', size) > kHeader.size() && has_operations;
    CHECK((salvaged.ok() || !has_whole_line));
    if (salvaged && !result) {
      const auto& remarks = salvaged.value().info().remarks;
      CHECK(std::ranges::count(remarks, Remark::Kind::kSalvaged, &Remark::kind) == 1);
    }
  }
}

}  // namespace
}  // namespace elapid
