// Sequential consistency and linearizability of small histories of objects, also where invocations
// are missing: as by trying all orders. Transactions on several registers also where the search may
// take no step, so that the engines of transactions decide.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/certify/certify.h"
#include "engine/check/check.h"
#include "engine/workloads/object_claims.h"
#include "engine/workloads/table.h"
#include "parsers/read.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr int kNothing = -1;  // a remove that found nothing

/// An operation that adds (or puts) a value, or one that removes (or reads) one.
struct Call {
  int process = 0;
  bool adds = false;
  int key = 0;
  int value = 0;
  bool is_open = false;
  bool lacks_invocation = false;
  int begun = 0;
  int ended = 0;
};

using State = std::map<int, std::vector<int>>;  // by key

struct Type {
  std::string workload;
  std::string add;
  std::string remove;
  int keys = 1;

  /// Registers 0 and 1: a write of 3 is one of both, and a read reads both.
  [[nodiscard]] bool has_transactions() const { return workload == "multi-register"; }
};

/// What a remove shows in this state; the state afterwards.
int shown(const Type& type, const Call& call, State& state) {
  std::vector<int>& values = state[call.key];
  if (type.has_transactions()) {
    for (const int key : {0, 1}) {
      state[key].resize(1);
      if (call.adds && (key == call.key || call.value == 3)) {
        state[key] = {call.value};
      }
    }
    return call.adds ? call.value : 10 * state[0][0] + state[1][0];
  }
  if (call.adds) {
    if (type.workload == "kv") {
      values = {call.value};
    } else if (type.workload == "counter") {
      values = {(values.empty() ? 0 : values[0]) + call.value};
    } else {
      values.push_back(call.value);
    }
    return call.value;
  }
  if (type.workload == "counter") {
    return values.empty() ? 0 : values[0];
  }
  if (values.empty()) {
    return kNothing;
  }
  const bool is_stack = type.workload == "stack";
  const int value = is_stack ? values.back() : values.front();
  if (type.workload != "kv") {
    values.erase(is_stack ? values.end() - 1 : values.begin());
  }
  return value;
}

/// Whether all calls, in the order of their ends, have an order; in real time if asked for.
class Orders {
 public:
  Orders(const Type& type, const std::vector<Call>& calls, bool keeps_time)
      : type_(type), calls_(calls), keeps_time_(keeps_time), is_done_(calls.size()) {}

  bool has_one(const State& state = {}) {
    bool is_whole = true;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      is_whole = is_whole && (is_done_[i] || calls_[i].is_open);
    }
    for (std::size_t i = 0; !is_whole && i < calls_.size(); ++i) {
      State after = state;
      if (!is_done_[i] && may_be_next(i) &&
          (shown(type_, calls_[i], after) == calls_[i].value || calls_[i].is_open)) {
        is_done_[i] = true;
        is_whole = has_one(after);
        is_done_[i] = false;
      }
    }
    return is_whole;
  }

 private:
  bool may_be_next(std::size_t next) const {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const bool is_before =
          keeps_time_ ? !calls_[next].lacks_invocation && calls_[i].ended < calls_[next].begun
                      : calls_[i].process == calls_[next].process && i < next;
      if (!is_done_[i] && !calls_[i].is_open && is_before) {
        return false;
      }
    }
    return true;
  }

  const Type& type_;
  const std::vector<Call>& calls_;
  bool keeps_time_;
  std::vector<bool> is_done_;
};

class RandomHistory {
 public:
  RandomHistory(const Type& type, std::uint64_t seed) : type_(type), random_(seed) {
    const int processes = 2 + below(2);
    for (int i = 3 + below(4); i > 0; --i) {
      calls_.push_back({.process = below(processes),
                        .adds = below(2) == 0,
                        .key = below(type.keys),
                        .value = 1 + below(3),
                        .is_open = below(8) == 0,
                        .lacks_invocation = below(8) == 0});
    }
    for (Call& call : calls_) {
      call.lacks_invocation = call.lacks_invocation && !call.is_open;
    }
    calls_.front().lacks_invocation = false;  // some real time is recorded
    set_values();
    set_times(processes);
  }

  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }

  /// The events, in the order of their times.
  [[nodiscard]] std::string text() const {
    std::map<int, std::string> events;
    for (const Call& call : calls_) {
      if (!call.lacks_invocation) {
        events[call.begun] = event("invoke", call);
      }
      events[call.ended] = event(call.is_open ? "info" : "ok", call);
    }
    std::string text;
    for (const auto& [time, line] : events) {
      text += line;
    }
    return text;
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }

  /// Those of some order that keeps the order of each process; one in three histories is damaged.
  void set_values() {
    State state;
    std::vector<Call*> left;
    for (Call& call : calls_) {
      left.push_back(&call);
    }
    while (!left.empty()) {
      const int process =
          left[static_cast<std::size_t>(below(static_cast<int>(left.size())))]->process;
      const auto first = std::ranges::find(left, process, &Call::process);
      if (!(*first)->is_open || below(2) == 0) {
        (*first)->value = shown(type_, **first, state);
      }
      left.erase(first);
    }
    Call& damaged = calls_[static_cast<std::size_t>(below(static_cast<int>(calls_.size())))];
    damaged.value = below(3) == 0 && !damaged.adds ? 1 + below(3) : damaged.value;
  }

  /// Each process in turn at random. An open call ends by an :info, and its process goes on.
  void set_times(int processes) {
    std::vector<std::vector<Call*>> of(static_cast<std::size_t>(processes));
    for (Call& call : calls_) {
      of[static_cast<std::size_t>(call.process)].push_back(&call);
    }
    std::vector<std::size_t> done(of.size());
    for (int time = 0, left = 2 * static_cast<int>(calls_.size()); left > 0; ++time) {
      const auto process = static_cast<std::size_t>(below(processes));
      if (done[process] < 2 * of[process].size()) {
        Call& call = *of[process][done[process] / 2];
        (done[process]++ % 2 == 0 ? call.begun : call.ended) = time;
        --left;
      }
    }
    std::ranges::sort(calls_, {}, &Call::ended);
  }

  [[nodiscard]] std::string event(const std::string& type, const Call& call) const {
    const bool hides = !call.adds && type != "ok";
    if (type_.has_transactions()) {
      return "{:type :" + type + ", :process " + std::to_string(call.process) +
             ", :f :txn, :value " + transaction(call, hides) + "}\n";
    }
    const std::string value = hides || call.value == kNothing ? "nil" : std::to_string(call.value);
    return "{:type :" + type + ", :process " + std::to_string(call.process) +
           ", :f :" + (call.adds ? type_.add : type_.remove) +
           (type_.keys > 1 ? ", :key " + std::to_string(call.key) : "") + ", :value " +
           (type_.keys > 1 && !hides && call.value != kNothing ? '"' + value + '"' : value) + "}\n";
  }

  static std::string transaction(const Call& call, bool hides) {
    std::string text;
    for (const int key : {0, 1}) {
      const int shown = key == 0 ? call.value / 10 : call.value % 10;
      if (!call.adds || key == call.key || call.value == 3) {
        text += (call.adds ? "[:write " : "[:read ") + std::to_string(key) + " " +
                (hides ? "nil" : std::to_string(call.adds ? call.value : shown)) + "]";
      }
    }
    return "[" + text + "]";
  }

  const Type& type_;
  std::mt19937_64 random_;
  std::vector<Call> calls_;
};

void compare(const Type& type, const RandomHistory& made, Model model,
             std::uint64_t work = Budget().linearize_work) {
  INFO(type.workload << " " << made.text());
  ReadOptions options;
  options.workload = find_workload(type.workload);
  if (type.has_transactions()) {
    options.initial = "0";
  }
  const std::string text = made.text();
  const Result<LoadedHistory> loaded = read_history(memory_source("calls.edn", text), options);
  REQUIRE(loaded);
  const History& history = loaded.value().history();
  const Result<Verdict> verdict =
      check(history, {.models = ModelSet{model}, .budget = {.linearize_work = work}});
  REQUIRE(verdict);
  const bool has_order = Orders(type, made.calls(), model == Model::kLinearizable).has_one();
  CHECK(verdict.value().validity == (has_order ? Validity::kValid : Validity::kInvalid));
  for (LevelAnswer level : verdict.value().levels) {
    if (level.validity == Validity::kInvalid && !level.failure) {
      const Result<RegisterTransactions> asked = register_transactions(history, level.model);
      REQUIRE(asked);
      level.model = level_of_transactions(level.model);
      CHECK(check_level_answer(asked.value().necessary, level).value_or("") == "");
      continue;
    }
    const Result<Verdict> proved = prove_objects(history, {}, level);
    REQUIRE(proved);
    CHECK(proved.value().unknown_because.value_or("") == "");
  }
}

TEST_CASE("objects: sequential and linearizable as by trying all orders") {
  const std::vector<Type> types = {{"fifo-queue", "enqueue", "dequeue"},
                                   {"stack", "push", "pop"},
                                   {"counter", "add", "read"},
                                   {"kv", "put", "get", 2},
                                   {"multi-register", "write", "read", 2}};
  for (std::uint64_t seed = 0; seed < case_count(2000); ++seed) {
    const Type& type = types[seed % types.size()];
    const RandomHistory made(type, from_environment("ELAPID_PROPERTY_SEED", 1) * 1'000'000 + seed);
    compare(type, made, Model::kSequential);
    compare(type, made, Model::kLinearizable);
    if (type.has_transactions()) {
      compare(type, made, Model::kSequential, 1);
    }
  }
}

}  // namespace
}  // namespace elapid
