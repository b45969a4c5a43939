#include "adapter/c/elapid.h"

#include <array>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace elapid {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

using Handle = std::unique_ptr<elapid_checker, decltype(&elapid_close)>;

Handle opened(std::string_view levels = "") {
  Handle checker(elapid_open(), &elapid_close);
  if (!levels.empty()) {
    REQUIRE(elapid_set(checker.get(), "levels", std::string(levels).c_str()) == ELAPID_OK);
  }
  return checker;
}

void feed(const Handle& checker, std::initializer_list<std::string_view> lines) {
  for (const std::string_view line : lines) {
    REQUIRE(elapid_line(checker.get(), line.data(), line.size()) == ELAPID_OK);
  }
}

elapid_status check_bytes(const Handle& checker, std::string_view bytes) {
  return elapid_check_memory(checker.get(), bytes.data(), bytes.size());
}

elapid_verdict first(const Handle& checker) {
  return elapid_validity(checker.get(), 0);
}

constexpr std::string_view kFirst =
    R"({"type": "ok", "process": 0, "invoked": 1, "completed": 2, "value": [["append", "x", 1]]})";
constexpr std::string_view kSecond =
    R"({"type": "ok", "process": 1, "invoked": 3, "completed": 6, "value": [["r", "x", [1]], ["append", "x", 2]]})";
constexpr std::string_view kLost =
    R"({"type": "ok", "process": 2, "invoked": 4, "completed": 7, "value": [["r", "x", [1]], ["append", "x", 3]]})";
constexpr std::string_view kLast =
    R"({"type": "ok", "process": 0, "invoked": 8, "completed": 9, "value": [["r", "x", [1, 2, 3]]]})";

TEST_CASE("lines are a history, and its verdict comes with evidence") {
  const Handle checker = opened("snapshot-isolation");
  CHECK(elapid_history_count(checker.get()) == 0);
  CHECK(first(checker) == ELAPID_NONE);
  feed(checker, {kFirst, kSecond});
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(elapid_history_count(checker.get()) == 1);
  CHECK(first(checker) == ELAPID_VALID);
  CHECK_THAT(elapid_json(checker.get(), 0), StartsWith("{\"valid?\": true"));
  CHECK(elapid_explanation(checker.get(), 0) == std::string());

  // More lines, checked with those before.
  feed(checker, {kLost, kLast});
  CHECK(first(checker) == ELAPID_VALID);
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(first(checker) == ELAPID_INVALID);
  CHECK_THAT(elapid_json(checker.get(), 0), Contains("\"G-single-item\""));
  CHECK_THAT(elapid_explanation(checker.get(), 0), Contains("history:3"));
  CHECK(elapid_key(checker.get(), 0) == std::string());
  CHECK_THAT(elapid_report(checker.get(), 0, "summary.txt"),
             StartsWith("Not snapshot isolation: "));
  CHECK_THAT(elapid_report(checker.get(), 0, "report.json"),
             Contains("{\"level\": \"snapshot-isolation\", \"state\": \"violated\"}") &&
                 Contains("\"label\": \"T1\", \"file\": \"history\", \"line\": 3"));
  CHECK_THAT(elapid_report(checker.get(), 0, "findings/1.svg"), Contains("<svg"));
  CHECK(elapid_report(checker.get(), 0, "findings/2.txt") == nullptr);
  CHECK(elapid_report(checker.get(), 0, nullptr) == nullptr);
  CHECK(elapid_report(checker.get(), 1, "summary.txt") == nullptr);
  CHECK(elapid_error(checker.get()) == std::string());

  // What was forgotten is not checked again, but the options are as they were.
  elapid_clear(checker.get());
  CHECK(elapid_history_count(checker.get()) == 0);
  feed(checker, {kFirst});
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(first(checker) == ELAPID_VALID);
  CHECK_THAT(elapid_json(checker.get(), 0), Contains("[\"snapshot-isolation\"]"));
}

TEST_CASE("a header and events are lines too, and a level may be left to the kind of history") {
  const Handle checker = opened();
  feed(checker, {R"({"format": "elapid/1", "workload": "rw-register", "initial": 0})",
                 R"({"type": "invoke", "process": 0, "f": "txn", "value": [["r", "x", null]]})",
                 R"({"type": "ok", "process": 0, "f": "txn", "value": [["r", "x", 0]]})"});
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(first(checker) == ELAPID_VALID);
  CHECK_THAT(elapid_json(checker.get(), 0),
             Contains("strict-serializable") || Contains("strong-serializable"));
}

TEST_CASE("whole transactions with times are judged in real time, also of sessions with names") {
  const Handle checker = opened();
  feed(checker,
       {R"({"type":"ok","process":"a","invoked":1,"completed":2,"value":[["w","x",1]]})",
        R"({"type":"ok","process":"b","invoked":3,"completed":4,"value":[["r","x",null]]})"});
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(first(checker) == ELAPID_INVALID);
}

TEST_CASE("files and bytes are read in any format, and the verdict is that of the lines") {
  const Handle checker = opened("serializable");
  constexpr std::string_view kEdn =
      "{:type :invoke, :process 0, :f :txn, :value [[:append :x 1]]}\n"
      "{:type :ok, :process 0, :f :txn, :value [[:append :x 1]]}\n";
  REQUIRE(check_bytes(checker, kEdn) == ELAPID_OK);
  CHECK(first(checker) == ELAPID_VALID);
  CHECK(elapid_check_file(checker.get(), "/nowhere/history.edn") == ELAPID_UNREADABLE);
  CHECK_THAT(elapid_error(checker.get()), StartsWith("/nowhere/history.edn: "));
  CHECK(elapid_history_count(checker.get()) == 0);
  CHECK(elapid_set(checker.get(), "format", "jsonl") == ELAPID_OK);
  CHECK(check_bytes(checker, kEdn) == ELAPID_MALFORMED);
}

TEST_CASE("what is wrong with a line is told with its place") {
  const Handle checker = opened();
  feed(checker, {kFirst, R"({"type": "ok", "process": 1, "invoked": 3, "value": [["r" "x"]]})"});
  CHECK(elapid_check(checker.get()) == ELAPID_MALFORMED);
  CHECK_THAT(elapid_error(checker.get()), StartsWith("history:2:59: expected "));
  CHECK(elapid_history_count(checker.get()) == 0);
  CHECK(elapid_json(checker.get(), 0) == nullptr);

  elapid_clear(checker.get());
  CHECK(elapid_check(checker.get()) == ELAPID_MALFORMED);  // no line at all
  CHECK(elapid_line(checker.get(), "{}\n{}", 5) == ELAPID_USAGE);
  CHECK(elapid_error(checker.get()) == std::string("expected one line, found several"));
}

TEST_CASE("a request that makes no sense leaves no verdicts of the one before") {
  const Handle checker = opened();
  feed(checker, {kFirst});
  for (const bool in_memory : {false, true}) {
    REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
    REQUIRE(elapid_history_count(checker.get()) == 1);
    CHECK((in_memory ? elapid_check_memory(checker.get(), nullptr, 5)
                     : elapid_check_file(checker.get(), nullptr)) == ELAPID_USAGE);
    CHECK(elapid_history_count(checker.get()) == 0);
    CHECK(first(checker) == ELAPID_NONE);
    CHECK(elapid_json(checker.get(), 0) == nullptr);
  }
}

TEST_CASE("a message repeats no more of a value than fits its line") {
  const Handle checker = opened();
  const std::string line = R"({"type": "ok", "process": 0, "value": [["r", "x", [1]], ["\u00e4)" +
                           std::string(100'000, 'q') + R"(", "x", 1]]})";
  feed(checker, {line});
  CHECK(elapid_check(checker.get()) != ELAPID_OK);
  CHECK(std::string_view(elapid_error(checker.get())).size() < 4096);
}

TEST_CASE("a key with a zero byte is told whole") {
  const Handle checker = opened("serializable");
  REQUIRE(elapid_set(checker.get(), "independent", "true") == ELAPID_OK);
  feed(checker, {R"({"type": "ok", "process": 0, "value": ["a\u0000b", [["append", "x", 1]]]})"});
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(elapid_key(checker.get(), 0) == std::string(R"("a\u0000b")"));
}

TEST_CASE("options have the names and values of the program's, and its words for wrong ones") {
  const Handle checker = opened();
  const auto refusal = [&](const char* name, const char* value) {
    CHECK(elapid_set(checker.get(), name, value) == ELAPID_USAGE);
    return std::string(elapid_error(checker.get()));
  };
  CHECK(refusal("level", "si") == "there is no option level; did you mean levels?");
  CHECK(
      refusal("levels", "serialisable") ==
      "unknown consistency model 'serialisable'; did you mean serializable? `elapid levels` lists "
      "all");
  CHECK_THAT(refusal("model", "banque"), StartsWith("unknown workload 'banque'"));
  CHECK_THAT(refusal("timeout", "soon"), StartsWith("expected a duration"));
  CHECK_THAT(refusal("memory", "-1"), StartsWith("expected a size"));
  CHECK(refusal("threads", "0") == "threads is a number from 1 to 4096, not '0'");
  CHECK(refusal("wfr-keys", "yes") == "wfr-keys is true or false, not 'yes'");
  CHECK(refusal("levels", "") == "levels needs a value");
  CHECK(refusal("initial", "") == "initial needs a value");
  CHECK_THAT(refusal("initial", "1 2"), StartsWith("expected one EDN value as the initial value"));
  CHECK_THAT(refusal("initial", "{:a"), StartsWith("expected one EDN value as the initial value"));
  CHECK(refusal("levels", std::string(2'000'000, 'x').c_str()) ==
        "the value of levels has 2000000 bytes; it may have 1048576");
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"levels", "si,ser"},
           {"anomalies", "G1a"},
           {"engine", "solver"},
           {"elle-compat", "false"},
           {"wfr-keys", "true"},
           {"sequential-keys", "true"},
           {"threads", "2"},
           {"linearizable-keys", "1"},
           {"work", "1000000"},
           {"timeout", "1h"},
           {"memory", "1T"},
           {"format", "jsonl"},
           {"initial", "nil"},
           {"independent", "false"},
           {"salvage", "false"},
           {"max-line", "1M"},
           {"cycle-search-timeout", "1000"}}) {
    CAPTURE(name);
    CHECK(elapid_set(checker.get(), name, value) ==
          (std::string_view(value) == "1" ? ELAPID_USAGE : ELAPID_OK));
  }
  feed(checker, {kFirst});
  CHECK(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(elapid_set(checker.get(), "clock-skew", "5") == ELAPID_OK);
  CHECK(elapid_check(checker.get()) == ELAPID_USAGE);
  CHECK(elapid_error(checker.get()) ==
        std::string("clock-skew and cross-check need engine timestamps"));
  CHECK(elapid_set(checker.get(), "clock-skew", "0") == ELAPID_OK);
  CHECK(elapid_check(checker.get()) == ELAPID_OK);
}

TEST_CASE("limits that are reached give unknown, with their names") {
  const Handle checker = opened("serializable");
  REQUIRE(elapid_set(checker.get(), "memory", "1") == ELAPID_OK);
  feed(checker, {kFirst, kSecond});
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(first(checker) == ELAPID_UNKNOWN);
  CHECK_THAT(elapid_json(checker.get(), 0), Contains("unknown-because") && Contains("memory 1"));
  CHECK_THAT(elapid_explanation(checker.get(), 0), Contains("memory 1"));
}

TEST_CASE("independent keys are histories of their own") {
  const Handle checker = opened("serializable");
  REQUIRE(elapid_set(checker.get(), "independent", "true") == ELAPID_OK);
  constexpr std::string_view kTuples =
      "{:type :invoke, :process 0, :f :txn, :value [:a [[:append :x 1]]]}\n"
      "{:type :ok, :process 0, :f :txn, :value [:a [[:append :x 1]]]}\n"
      "{:type :invoke, :process 1, :f :txn, :value [:b [[:r :x nil]]]}\n"
      "{:type :ok, :process 1, :f :txn, :value [:b [[:r :x [7]]]]}\n";
  REQUIRE(check_bytes(checker, kTuples) == ELAPID_OK);
  REQUIRE(elapid_history_count(checker.get()) == 2);
  CHECK(elapid_key(checker.get(), 0) == std::string(":a"));
  CHECK(elapid_key(checker.get(), 1) == std::string(":b"));
  CHECK(elapid_validity(checker.get(), 0) == ELAPID_VALID);
  CHECK(elapid_validity(checker.get(), 1) == ELAPID_INVALID);
  CHECK(elapid_validity(checker.get(), 2) == ELAPID_NONE);
  CHECK(elapid_key(checker.get(), 2) == nullptr);
}

TEST_CASE("checkers of workloads are told what histories do not tell") {
  const Handle checker = opened();
  constexpr std::string_view kReads =
      "{:type :ok, :process 0, :f :read, :value {0 6, 1 4}}\n"
      "{:type :ok, :process 1, :f :read, :value {0 5, 1 5}}\n";
  REQUIRE(elapid_set(checker.get(), "model", "bank") == ELAPID_OK);
  REQUIRE(check_bytes(checker, kReads) == ELAPID_OK);
  CHECK(elapid_validity(checker.get(), 0) == ELAPID_VALID);
  REQUIRE(elapid_set(checker.get(), "total-amount", "11") == ELAPID_OK);
  REQUIRE(check_bytes(checker, kReads) == ELAPID_OK);
  CHECK(elapid_validity(checker.get(), 0) == ELAPID_INVALID);
  CHECK_THAT(elapid_json(checker.get(), 0), Contains("wrong-total"));
  CHECK(elapid_set(checker.get(), "lock", "brass") == ELAPID_USAGE);
  CHECK_THAT(elapid_error(checker.get()), Contains("semaphore"));
  CHECK(elapid_set(checker.get(), "failed-cas", "perhaps") == ELAPID_USAGE);
}

TEST_CASE("a share of operations that must succeed is demanded") {
  const Handle checker = opened();
  constexpr std::string_view kEchoes =
      "{:type :invoke, :process 0, :f :echo, :value 1}\n"
      "{:type :ok, :process 0, :f :echo, :value {:echo 1}}\n"
      "{:type :invoke, :process 1, :f :echo, :value 2}\n"
      "{:type :fail, :process 1, :f :echo, :value 2}\n";
  const auto verdict_at = [&](const char* share) {
    REQUIRE(elapid_set(checker.get(), "availability", share) == ELAPID_OK);
    REQUIRE(check_bytes(checker, kEchoes) == ELAPID_OK);
    return first(checker);
  };
  CHECK(verdict_at("0.5") == ELAPID_VALID);
  CHECK(verdict_at("total") == ELAPID_INVALID);
  CHECK_THAT(elapid_json(checker.get(), 0), Contains(R"("demanded": 1, "source": "given")"));
  CHECK_THAT(elapid_explanation(checker.get(), 0), Contains("1 of 2 operations succeeded"));
  CHECK(elapid_set(checker.get(), "availability", "1.5") == ELAPID_USAGE);
  CHECK_THAT(elapid_error(checker.get()), Contains("from 0 to 1"));
}

TEST_CASE("no checker, and nothing where something is needed, are usage errors") {
  elapid_close(nullptr);
  elapid_clear(nullptr);
  CHECK(elapid_set(nullptr, "levels", "si") == ELAPID_USAGE);
  CHECK(elapid_line(nullptr, "{}", 2) == ELAPID_USAGE);
  CHECK(elapid_check(nullptr) == ELAPID_USAGE);
  CHECK(elapid_check_file(nullptr, "x") == ELAPID_USAGE);
  CHECK(elapid_check_memory(nullptr, "x", 1) == ELAPID_USAGE);
  CHECK(elapid_error(nullptr) == std::string("there is no checker"));
  CHECK(elapid_history_count(nullptr) == 0);
  CHECK(elapid_validity(nullptr, 0) == ELAPID_NONE);
  CHECK(elapid_json(nullptr, 0) == nullptr);
  CHECK(elapid_explanation(nullptr, 0) == nullptr);
  CHECK(elapid_key(nullptr, 0) == nullptr);
  CHECK(elapid_report(nullptr, 0, "report.html") == nullptr);

  const Handle checker = opened();
  CHECK(elapid_set(checker.get(), nullptr, "si") == ELAPID_USAGE);
  CHECK(elapid_set(checker.get(), "levels", nullptr) == ELAPID_USAGE);
  CHECK(elapid_line(checker.get(), nullptr, 1) == ELAPID_USAGE);
  CHECK(elapid_line(checker.get(), nullptr, 0) == ELAPID_OK);  // a blank line
  CHECK(elapid_check_file(checker.get(), nullptr) == ELAPID_USAGE);
  CHECK(elapid_check_memory(checker.get(), nullptr, 1) == ELAPID_USAGE);
  CHECK(elapid_check_memory(checker.get(), nullptr, 0) == ELAPID_MALFORMED);
  CHECK(elapid_json(checker.get(), 0) == nullptr);
  CHECK(elapid_version() == std::string(ELAPID_EXPECTED_VERSION));
}

TEST_CASE("hostile bytes are errors in one line, and hostile names are inert") {
  const Handle checker = opened();
  std::string deep(200'000, '[');
  for (const std::string& bytes :
       {std::string(3, '\0'), std::string("\xff\xfe\x00\x01", 4), deep, "{\"type\": " + deep,
        std::string("{\"type\": \"ok\", \"process\": 0, \"value\": [[\"append\", \"\xff\", 1]]}"),
        std::string("\033[31m\n\033]0;x\007")}) {
    CHECK(check_bytes(checker, bytes) != ELAPID_OK);
    const std::string error = elapid_error(checker.get());
    CHECK_FALSE(error.empty());
    CHECK(error.find_first_of("\n\033") == std::string::npos);
    elapid_clear(checker.get());
    if (bytes.find('\n') == std::string::npos) {
      CHECK(elapid_line(checker.get(), bytes.data(), bytes.size()) == ELAPID_OK);
      CHECK(elapid_check(checker.get()) == ELAPID_MALFORMED);
    }
  }
  elapid_clear(checker.get());
  feed(checker, {R"({"type": "ok", "process": 0, "invoked": 1, "completed": 2,)"
                 R"( "value": [["r", "\u001b]0;x\u0007\u0000", [1]]]})"});
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(first(checker) == ELAPID_INVALID);
  const std::string explanation = elapid_explanation(checker.get(), 0);
  CHECK(explanation.find_first_of("\033\007") == std::string::npos);
  CHECK(explanation.ends_with('\n'));
}

TEST_CASE("a check that is cancelled has no verdict, and the next one has its own") {
  const Handle checker = opened();
  feed(checker, {kFirst, kSecond, kLost, kLast});
  elapid_cancel(checker.get());
  CHECK(elapid_check(checker.get()) == ELAPID_CANCELLED);
  CHECK(elapid_error(checker.get()) == std::string("the check was cancelled"));
  CHECK(elapid_history_count(checker.get()) == 0);
  REQUIRE(elapid_check(checker.get()) == ELAPID_OK);
  CHECK(first(checker) == ELAPID_INVALID);
  elapid_cancel(nullptr);
}

TEST_CASE("threads with a checker each get the same bytes") {
  std::array<std::string, 4> maps;
  std::vector<std::thread> threads;
  for (std::string& map : maps) {
    threads.emplace_back([&map] {
      const Handle checker = opened();
      for (const std::string_view line : {kFirst, kSecond, kLost, kLast}) {
        elapid_line(checker.get(), line.data(), line.size());
      }
      elapid_check(checker.get());
      map = elapid_json(checker.get(), 0);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK_FALSE(maps[0].empty());
  for (const std::string& map : maps) {
    CHECK(map == maps[0]);
  }
}

}  // namespace
}  // namespace elapid
