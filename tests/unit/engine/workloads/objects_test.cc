// Workloads of single operations on objects: queues, stacks, sets, counters, locks and ids, from
// EDN to the verdict.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "engine/check/check.h"
#include "engine/workloads/table.h"
#include "parsers/read.h"

namespace elapid {
namespace {

std::string event(const std::string& type, int process, const std::string& f,
                  const std::string& value) {
  return "{:type :" + type + ", :process " + std::to_string(process) + ", :f :" + f + ", :value " +
         value + "}\n";
}

/// An operation alone while it runs.
std::string alone(const std::string& f, const std::string& value) {
  return event("invoke", 0, f, value) + event("ok", 0, f, value);
}

/// One that never returns.
std::string open(int process, const std::string& f, const std::string& value) {
  return event("invoke", process, f, value) + event("info", process, f, value);
}

Result<Verdict> judged(std::string_view workload, const std::string& text) {
  ReadOptions options;
  options.workload = find_workload(workload);
  REQUIRE(options.workload);
  const Result<LoadedHistory> loaded = read_history(memory_source("objects.edn", text), options);
  if (!loaded) {
    return loaded.error();
  }
  return check(loaded.value().history(), {});
}

Validity validity(std::string_view workload, const std::string& text) {
  const Result<Verdict> verdict = judged(workload, text);
  REQUIRE(verdict);
  CHECK(verdict.value().findings.empty() == (verdict.value().validity != Validity::kInvalid));
  return verdict.value().validity;
}

/// The workload that a history is recognised as.
std::string_view recognised(const std::string& text) {
  const Result<LoadedHistory> loaded = read_history(memory_source("objects.edn", text), {});
  REQUIRE(loaded);
  return loaded.value().history().workload().name();
}

TEST_CASE("containers: which value a remove takes") {
  const std::string first = alone("add", "1") + alone("add", "2") + alone("remove", "1");
  const std::string last = alone("add", "1") + alone("add", "2") + alone("remove", "2");
  CHECK(validity("fifo-queue", first) == Validity::kValid);
  CHECK(validity("fifo-queue", last) == Validity::kInvalid);
  CHECK(validity("stack", first) == Validity::kInvalid);
  CHECK(validity("stack", last) == Validity::kValid);
  CHECK(validity("unordered-queue", first) == Validity::kValid);
  CHECK(validity("unordered-queue", last) == Validity::kValid);
  CHECK(validity("priority-queue", first) == Validity::kInvalid);
  CHECK(validity("priority-queue", last) == Validity::kValid);
}

TEST_CASE("containers: removes that found nothing, failed, or never returned") {
  const std::string add = alone("enqueue", "1");
  CHECK(validity("fifo-queue", add + alone("dequeue", ":empty")) == Validity::kInvalid);
  CHECK(validity("fifo-queue", add + alone("dequeue", "nil")) == Validity::kInvalid);
  CHECK(validity("fifo-queue", add + event("invoke", 0, "dequeue", "nil") +
                                   event("fail", 0, "dequeue", "nil")) == Validity::kValid);
  CHECK(validity("fifo-queue", add + open(1, "dequeue", "nil") + alone("dequeue", ":empty")) ==
        Validity::kValid);
}

TEST_CASE("containers: nil is a value where it is added") {
  CHECK(validity("stack", alone("push", "nil") + alone("pop", "nil")) == Validity::kValid);
  CHECK(validity("stack", alone("push", "nil") + alone("pop", ":empty")) == Validity::kInvalid);
}

TEST_CASE("containers: what is not of the workload is refused") {
  const Result<Verdict> other = judged("fifo-queue", alone("enqueue", "1") + alone("peek", "1"));
  REQUIRE_FALSE(other);
  CHECK(other.error().message ==
        "expected operations that add or remove a value of fifo-queue, found :peek (index 3)");
  const Result<Verdict> text = judged("priority-queue", alone("insert", "\"a\""));
  REQUIRE_FALSE(text);
  CHECK(text.error().message ==
        "expected integers of 64 bits as the values of priority-queue, found \"a\" (index 1)");
}

TEST_CASE("counter: reads show the sum of adds") {
  CHECK(validity("counter", alone("add", "2") + alone("read", "2")) == Validity::kValid);
  CHECK(validity("counter", alone("add", "2") + alone("read", "0")) == Validity::kInvalid);
  CHECK(validity("counter", open(1, "add", "2") + alone("read", "0") + alone("read", "2")) ==
        Validity::kValid);
  const Result<Verdict> text = judged("counter", alone("add", "[1]"));
  REQUIRE_FALSE(text);
  CHECK_THAT(
      text.error().message,
      Catch::Contains("expected an integer of 64 bits as the :value of this :add, found [1]"));
}

TEST_CASE("mutex: acquires and releases alternate") {
  const std::string both = alone("acquire", "nil") + alone("release", "nil");
  CHECK(validity("mutex", both + both) == Validity::kValid);
  CHECK(validity("mutex", both + alone("release", "nil")) == Validity::kInvalid);
  CHECK(validity("mutex", alone("acquire", "nil") + open(1, "release", "nil") +
                              alone("acquire", "nil")) == Validity::kValid);
}

TEST_CASE("grow-only set: all reads count, not the last one alone") {
  const std::string lost = alone("add", "1") + alone("read", "#{}") + alone("read", "#{1}");
  CHECK(validity("grow-only-set", lost) == Validity::kInvalid);
  CHECK(validity("set", lost) == Validity::kValid);
  CHECK(validity("grow-only-set", alone("add", "1") + alone("read", "[1 1]")) == Validity::kValid);
}

TEST_CASE("add-remove set: results tell what was in") {
  CHECK(validity("add-remove-set", alone("add", "[1 true]") + alone("add", "[1 false]") +
                                       alone("remove", "[1 true]") +
                                       alone("contains", "[1 false]")) == Validity::kValid);
  CHECK(validity("add-remove-set", alone("add", "[1 nil]") + alone("contains", "[1 false]")) ==
        Validity::kInvalid);
}

/// Of a key of a store.
std::string on_key(const std::string& key, const std::string& f, const std::string& value) {
  const auto event_of = [&](const std::string& type) {
    return "{:type :" + type + ", :process 0, :f :" + f + ", :key " + key + ", :value " + value +
           "}\n";
  };
  return event_of("invoke") + event_of("ok");
}

TEST_CASE("kv: each key is an object") {
  const std::string a = on_key("\"a\"", "append", "\"x\"") + on_key("\"a\"", "append", "\"y\"");
  CHECK(validity("kv", a + on_key("\"a\"", "get", "\"xy\"") + on_key("\"b\"", "get", "\"\"")) ==
        Validity::kValid);
  CHECK(validity("kv", a + on_key("\"a\"", "get", "\"yx\"")) == Validity::kInvalid);
  CHECK(validity("kv", a + on_key("\"b\"", "get", "\"xy\"")) == Validity::kInvalid);
  CHECK(validity("kv", on_key("1", "put", "\"x\"") + on_key("1", "delete", "nil") +
                           on_key("1", "get", "nil")) == Validity::kValid);
  CHECK(recognised(a + on_key("\"a\"", "get", "nil")) == "kv");
}

TEST_CASE("unique ids differ from one another") {
  CHECK(validity("unique-ids", alone("generate", "1") + alone("generate", "2")) ==
        Validity::kValid);
  const Result<Verdict> verdict =
      judged("unique-ids", alone("generate", "1") + alone("generate", "1"));
  REQUIRE(verdict);
  REQUIRE(verdict.value().findings.size() == 1);
}

TEST_CASE("objects are recognised where functions tell their type") {
  CHECK(recognised(alone("push", "1") + alone("pop", "1")) == "stack");
  CHECK(recognised(alone("insert", "1") + alone("poll", "1")) == "priority-queue");
  CHECK(recognised(alone("acquire", "nil") + alone("release", "nil")) == "mutex");
  CHECK(recognised(alone("add", "1") + alone("read", "1")) == "counter");
  CHECK(recognised(alone("add", "1") + alone("read", "[1]")) == "set");
  CHECK(recognised(alone("add", "1") + alone("read", "[1]") + alone("read", "[1]")) == "set-full");
  CHECK(recognised(alone("broadcast", "1") + alone("read", "[1]")) == "set-full");
  CHECK(recognised(alone("transfer", "{:from 0, :to 1, :amount 5}") + alone("read", "{0 1}")) ==
        "bank");
  CHECK(recognised(alone("read", "{0 1, 1 2}")) == "bank");
  CHECK(recognised(alone("generate", "1")) == "unique-ids");
  CHECK(recognised(alone("add", "[1 true]") + alone("contains", "[1 true]")) == "add-remove-set");
  CHECK(recognised(alone("enqueue", "1") + alone("dequeue", "1")) == "queue");
  CHECK(recognised(alone("echo", "\"a\"")) == "echo");
}

/// A read that is invoked with nil, as of a register or a set.
std::string read_of(std::string_view value) {
  return "{:type :invoke, :process 9, :f :read, :value nil}\n"
         "{:type :ok, :process 9, :f :read, :value " +
         std::string(value) + "}\n";
}

TEST_CASE("what is written and read is told by what reads show") {
  const std::string write = alone("write", "1");
  CHECK(recognised(write + read_of("1")) == "cas-register");
  CHECK(recognised(write) == "cas-register");
  CHECK(recognised(alone("write", "[1 2]") + read_of("[1 2]")) == "cas-register");
  CHECK(recognised(write + read_of("1") + read_of("[1]")) == "cas-register");
  CHECK(recognised(write + read_of("#{1}")) == "causal-reverse");
  CHECK(recognised(write + read_of("[1 2]") + read_of("[1 2 3]")) == "causal-reverse");
  CHECK(recognised(write + read_of("[]")) == "causal-reverse");
  CHECK(recognised(write + read_of("[0 0]") + read_of("[0 1]")) == "dirty-reads");
  CHECK(recognised(write + read_of("[1 1]") + read_of("[1 2 1]")) == "other");
  CHECK(recognised(write + read_of("[1]") + read_of("[2]")) == "other");
  CHECK(recognised(write + alone("read", "1") + alone("refresh", "nil") +
                   alone("strong-read", "#{1}")) == "dirty-read");
  CHECK(recognised(write + alone("read", "1")) == "cas-register");
  for (const std::string& made : {write, alone("add", "[1 \"1_0\"]")}) {
    CHECK(recognised(made + read_of("[1 [nil \"1_0\"]]")) == "sequential");
    CHECK(recognised(made + read_of("[1 [\"1_1\" \"1_0\"]]")) == "sequential");
    CHECK(recognised(made + read_of("[1 [nil nil]]")) == "sequential");
  }
  CHECK(recognised(alone("add", "[1 \"1_0\"]") + read_of("[1 [\"1_0\" \"1_1\"]]")) == "set");
}

}  // namespace
}  // namespace elapid
