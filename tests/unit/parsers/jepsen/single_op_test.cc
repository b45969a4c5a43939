#include "parsers/jepsen/single_op.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "engine/workloads/table.h"
#include "parsers/elle_json/json_format.h"
#include "parsers/jepsen/edn_format.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {
namespace {

Result<History> read_edn(const std::string& text, const ReadOptions& options = {}) {
  const auto source = memory_source("h.edn", text);
  return read_edn_history(*source, options);
}

Result<History> read_ops(const std::string& text) {
  const auto source = memory_source("h.json", text);
  return read_json_history(*source, {}, kJsonFormat);
}

std::string outcome(const Result<History>& result) {
  return result ? std::string(result.value().workload().name()) + ": " + summary(result.value())
                : result.error().to_string();
}

/// An operation of process 0 without the braces.
std::string op(const std::string& type, const std::string& f, const std::string& value) {
  return "{:process 0, :type :" + type + ", :f :" + f + ", :value " + value + "}\n";
}

TEST_CASE("reads and writes of a register are transactions on the key nil") {
  CHECK(outcome(read_edn(op("invoke", "write", "1") + op("ok", "write", "1") +
                         op("invoke", "read", "nil") + op("ok", "read", "1") +
                         op("invoke", "read", "nil") + op("fail", "read", ":timed-out"))) ==
        "cas-register: 0 ok [:w nil 1]; 0 ok [:r nil 1]; 0 fail [:r nil nil]");
}

TEST_CASE("a cas reads the old value and writes the new one if it is ok") {
  CHECK(outcome(read_edn(op("invoke", "cas", "[1 2]") + op("ok", "cas", "[1 2]"))) ==
        "cas-register: 0 ok [:r nil 1] [:w nil 2]");
  CHECK(outcome(read_edn(op("ok", "cas", "([1 2] {:b 1 :a 2})"))) ==
        "cas-register: 0 ok [:r nil [1 2]] [:w nil {:a 2 :b 1}]");
}

TEST_CASE("a value and further keys are read alike with and without tokens") {
  ReadOptions options;
  options.workload = find_workload("echo");
  for (const char* const rest :
       {"{:b 1, :a 2}", "{2 1, 10 5, 1 7, 11 0}", "{:b {2 1, 1 [3 {:z 1, :y 2}]}, :a 3}",
        "[{:b 1, :a 2} {:d 3, :c [4 5]}]", "{:b 1 :a 2, :c 3}", "{}", "{:a 1, :a 2}",
        "{:b 1, :a 2, :b 3}", "{:b 1, :a 2,}", "{9 1, 8 1, 7 1, 6 1, 5 1, 4 1, 3 1, 2 1, 1 1}",
        "{1 1, 2 1, 3 1, 4 1, 5 1, 6 1, 7 1, 8 1, 9 1}", "1, :error :conflict",
        "1, :error [:lost \"a, b\" {:b 1, :a 2}]", "1, :valid? true", "1, :isolation :none"}) {
    const std::string text = "{:process 0, :type :ok, :f :echo, :value " + std::string(rest);
    // A second blank is in no plain map.
    CHECK(outcome(read_edn(text + "}", options)) == outcome(read_edn(text + " }", options)));
  }
  CHECK(outcome(read_edn(op("ok", "echo", "{:b {2 1, 1 7}, :a 3}"), options)) ==
        outcome(read_edn(op("ok", "echo", "{:a 3, :b {1 7, 2 1}}"), options)));
}

TEST_CASE("a cas that failed keeps what it was to compare with") {
  const auto result = read_edn(op("invoke", "cas", "[1 2]") + op("fail", "cas", ":timed-out"));
  REQUIRE(result);
  const History& history = result.value();
  CHECK(summary(history) == "0 fail [:r nil 1] [:w nil 2]");
  CHECK(history.info().remarks.empty());
  CHECK_FALSE(history.differing_invocation({0}));
}

TEST_CASE("a cas that may have happened has read what it was to compare with") {
  const auto result = read_edn(op("invoke", "cas", "[1 2]") + op("info", "cas", ":timed-out"));
  REQUIRE(result);
  CHECK(summary(result.value()) == "0 info [:r nil 1] [:w nil 2]");
  CHECK_FALSE(result.value().differing_invocation({0}));
  CHECK(outcome(read_edn(op("invoke", "cas", "[1 2]"))) ==
        "cas-register: 0 info [:r nil 1] [:w nil 2]");
  CHECK(outcome(read_edn(op("info", "cas", "[1 2]"))) ==
        "cas-register: 0 info [:r nil 1] [:w nil 2]");
}

TEST_CASE("what was invoked counts where a write is not ok") {
  CHECK(outcome(read_edn(op("invoke", "write", "4") + op("info", "write", ":timed-out"))) ==
        "cas-register: 0 info [:w nil 4]");
  CHECK(outcome(read_edn(op("invoke", "write", "4") + op("fail", "write", "nil"))) ==
        "cas-register: 0 fail [:w nil 4]");
}

TEST_CASE("values of registers may be anything, before and behind their :f") {
  for (const auto& [value, text] : std::vector<std::pair<std::string, std::string>>{
           {"nil", "nil"},
           {"\"a b\"", "\"a b\""},
           {"[]", "[]"},
           {"[[]]", "[[]]"},
           {"[[1 2] 3 [4]]", "[[1 2] 3 [4]]"},
           {"(1 #{2 1})", "[1 #{1 2}]"},
           {"{:b 1, :a [:r 1]}", "{:a [:r 1] :b 1}"},
           {"[:r 1]", "[:r 1]"},
           {"#{[1]}", "#{[1]}"},
           {"99999999999999999999", "99999999999999999999N"}}) {
    const std::string expected = "cas-register: 0 ok [:w nil " + text + "]; 0 ok [:w nil 7]";
    CHECK(outcome(read_edn(op("ok", "write", value) + op("ok", "write", "7"))) == expected);
    CHECK(outcome(read_edn("{:value " + value + " :f :write :type :ok :process 0}" +
                           op("ok", "write", "7"))) == expected);
  }
}

TEST_CASE("a cas needs two values and a register values that can be told apart") {
  CHECK(outcome(read_edn(op("ok", "cas", "[1 2 3]"))) ==
        "h.edn:1:1: expected an old and a new value as the :value of this :cas, found [1 2 3]");
  CHECK(outcome(read_edn(op("ok", "write", "1") + op("ok", "cas", "nil"))) ==
        "h.edn:2:1: expected an old and a new value as the :value of this :cas, found nil");
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  for (const std::string& value : {deep, "[" + deep + " 1]", "{1 " + deep + "}"}) {
    const auto result = read_edn(op("ok", "write", value));
    REQUIRE_FALSE(result);
    CHECK(result.error().line == 1);
  }
  CHECK(outcome(read_edn(op("ok", "write", "{:a 1 :a 2}"))).starts_with("h.edn:1:"));
}

TEST_CASE("operations of other names keep their names") {
  CHECK(outcome(read_edn(op("invoke", "seize", "nil") + op("ok", "seize", "nil") +
                         op("invoke", "give", "nil") + op("info", "give", "nil"))) ==
        "other: 0 ok [:seize nil]; 0 info [:give nil]");
  CHECK(outcome(read_edn(op("ok", "read", "[0 10]") +
                         op("ok", "transfer", "{:from 1, :to 2, :amount 5}"))) ==
        "other: 0 ok [:read nil]; 0 ok [:transfer nil]");
  CHECK(outcome(read_edn(op("ok", "push", "[0 1]") + op("ok", "read", "[]"))) ==
        "other: 0 ok [:push nil]; 0 ok [:read nil]");
  CHECK(outcome(read_edn(op("ok", "write", "1") + op("ok", "delete", "2"))) ==
        "cas-register: 0 ok [:w nil 1]; 0 ok [:delete nil]");
}

TEST_CASE("reads alone are those of a register if they show single values") {
  CHECK(outcome(read_edn(op("invoke", "read", "nil") + op("ok", "read", "5"))) ==
        "cas-register: 0 ok [:r nil 5]");
  CHECK(outcome(read_edn(op("invoke", "read", "nil") + op("ok", "read", "#{5}"))) ==
        "other: 0 ok [:read nil]");
}

TEST_CASE("the assumption says why it is a history of registers or of others") {
  const auto sentence = [](const std::string& text) {
    return read_edn(text).value().info().assumptions.front();
  };
  CHECK(sentence(op("ok", "cas", "[1 2]")) ==
        "The workload is cas-register: something is written by an operation :write or :cas.");
  CHECK(sentence(op("ok", "read", "1")) ==
        "The workload is cas-register: nothing is written, and operations :read show single "
        "values.");
  CHECK(sentence(op("ok", "add", "1")) ==
        "The workload is other: no transaction reads, writes or appends, and there are other "
        "operations.");
}

TEST_CASE("transactions under other names stay transactions") {
  CHECK(outcome(read_edn(op("invoke", "write", "[[:w 1 1]]") + op("ok", "write", "[[:w 1 1]]") +
                         op("invoke", "read", "[[:r 1 nil]]") + op("ok", "read", "[[:r 1 1]]"))) ==
        "rw-register: 0 ok [:w 1 1]; 0 ok [:r 1 1]");
  CHECK(outcome(read_edn(op("ok", "txn", "[[:w 1 1]]") + op("info", "write", "nil"))) ==
        "rw-register: 0 ok [:w 1 1]; 0 info");
  CHECK(outcome(read_edn(op("ok", "txn", "[[:read :x 1] [:write :y 2]]"))) ==
        "rw-register: 0 ok [:r :x 1] [:w :y 2]");
}

TEST_CASE("a transaction that is none stays an error") {
  CHECK(outcome(read_edn(op("ok", "txn", "5"))) ==
        "h.edn:1:41: expected a vector of micro-operations, found `5`");
  CHECK(outcome(read_edn(op("ok", "write", "[[:w 1]]"))) ==
        "h.edn:1:49: expected a value, found `]`");
}

TEST_CASE("single operations in JSON are those of EDN") {
  const auto json = [](const std::string& type, const std::string& f, const std::string& value) {
    return R"({"process": 0, "type": ")" + type + R"(", "value": )" + value + R"(, "f": ")" + f +
           "\"}\n";
  };
  CHECK(outcome(read_ops(json("invoke", "cas", "[1, 2]") + json("ok", "cas", "[1, 2]") +
                         json("invoke", "write", R"({"a": [1]})") +
                         json("info", "write", "\"timeout\"") + json("ok", "read", "[[1]]"))) ==
        "cas-register: 0 ok [:r nil 1] [:w nil 2]; 0 info [:w nil {:a [1]}]; 0 ok [:r nil [[1]]]");
  CHECK(outcome(read_ops(json("ok", "read", R"({"0": 10})"))) == "bank: 0 ok [:r nil {:0 10}]");
  CHECK(outcome(read_ops(json("ok", "cas", "3"))) ==
        "h.json:1:1: expected an old and a new value as the :value of this :cas, found 3");
  CHECK(outcome(read_ops(json("ok", "txn", "3"))) ==
        "h.json:1:39: expected an array of micro-operations, found `3`");
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  CHECK_FALSE(read_ops(json("ok", "write", deep)));
}

TEST_CASE("operations without a process are paired by function and value") {
  const std::string text =
      "{:type :invoke :f :read :value nil}{:type :invoke :f :write :value 1}"
      "{:type :invoke :f :write :value 2}{:type :ok :f :write :value 2}"
      "{:type :ok :f :read :value 2}{:type :info :f :start}{:type :info :f :write :value 1}";
  const auto result = read_edn(text);
  REQUIRE(result);
  const History& history = result.value();
  CHECK(summary(history) ==
        "-1000000002 ok [:w nil 2]; -1000000000 ok [:r nil 2]; -1000000001 info [:w nil 1]");
  CHECK(history.info().remarks.front().kind == Remark::Kind::kNoProcess);
  CHECK(history.has_invocation({1}));
  CHECK(outcome(read_edn(text, {.elle_compat = true})) == "cas-register: ");
}

TEST_CASE("a completion without a process that may be of several invocations is refused") {
  const std::string read = "{:type :invoke :f :read :value nil}";
  const std::string one = "{:type :ok :f :read :value 5}";
  const std::string nil = "{:type :ok :f :read :value nil}";
  const std::string write = "{:type :invoke :f :write :value 5}{:type :ok :f :write :value 5}";
  CHECK(outcome(read_edn(read + write + read + one + nil)) ==
        "h.edn:1:135: expected a :process, found none: this may complete any of several open "
        "operations of the same :f");
  CHECK(outcome(read_edn(read + write + read + one, {.for_lint = true})).starts_with("cas-"));
  // No operation succeeded between the two invocations: which one it is makes no difference.
  CHECK(outcome(read_edn(read + read + write + one + nil)).starts_with("cas-register: "));
  CHECK(outcome(read_edn(write + read + one + read + nil)).starts_with("cas-register: "));
}

TEST_CASE("an operation of the workload belongs to a client, whatever its process is called") {
  const auto named = [](const std::string& f, const std::string& value) {
    return "{:process :client-2, :type :ok, :f :" + f + ", :value " + value + "}\n";
  };
  const std::string write = op("invoke", "write", "1") + op("ok", "write", "1");
  for (const std::string& other : {named("read", "7"), named("cas", "[1 2]")}) {
    CHECK(outcome(read_edn(write + other)) ==
          "h.edn:3:1: expected an integer as the process of a client's operation, found "
          "`client-2`");
  }
  CHECK(outcome(read_edn(write + named("start-partition", "nil"))) ==
        "cas-register: 0 ok [:w nil 1]");
  // A queue marks a :fetch with its name, and reads.
  const std::string enqueue = op("invoke", "enqueue", "1") + op("ok", "enqueue", "1");
  const auto queue = [](const std::string& text) {
    return outcome(read_edn(text, {.workload = find_workload("queue")}));
  };
  CHECK(queue(enqueue + named("fetch", "7")) ==
        "h.edn:3:1: expected an integer as the process of a client's operation, found `client-2`");
  CHECK_FALSE(queue(enqueue + named("start-partition", "nil")).starts_with("h.edn:"));
}

TEST_CASE("what was asked for with nil is completed by what it got, without a process too") {
  const auto result = read_edn(
      "{:type :invoke :f :enqueue :value 1}{:type :ok :f :enqueue :value 1}"
      "{:type :invoke :f :dequeue :value nil}{:type :ok :f :dequeue :value 1}");
  REQUIRE(result);
  REQUIRE(result.value().txn_count() == 2);
  CHECK(result.value().committed({1}));
  CHECK(result.value().has_invocation({1}));
}

TEST_CASE("operations before a break in the syntax are salvaged") {
  const auto result =
      read_edn(op("ok", "write", "1") + "{:process 0, :type :ok, :f", {.salvage = true});
  REQUIRE(result);
  CHECK(summary(result.value()) == "0 ok [:w nil 1]");
  const Remark& remark = result.value().info().remarks.back();
  CHECK(remark.kind == Remark::Kind::kSalvaged);
  CHECK(remark.message.ends_with("; kept the operations before that"));
  CHECK_FALSE(read_edn("{:process 0", {.salvage = true}));
}

TEST_CASE("the initial value is that of the options") {
  const auto initial = [](const std::optional<std::string>& value) {
    const auto result = read_edn(op("ok", "read", "0"), {.initial = value});
    return result ? result.value().text(result.value().info().initial) : result.error().to_string();
  };
  CHECK(initial({}) == "nil");
  CHECK(initial("0") == "0");
  CHECK(initial(" #{2, 1} ") == "#{1 2}");
  for (const char* bad : {"", "1 2", "[", "{:a}"}) {
    const auto result = read_edn(op("ok", "read", "0"), {.initial = bad});
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::kUsage);
  }
}

}  // namespace
}  // namespace elapid
