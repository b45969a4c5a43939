// Sequential consistency of small histories: what the search finds, and what verifies it.
#include "engine/linearize/sequential_search.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/linearize/sequential_claims.h"
#include "engine/workloads/object_claims.h"
#include "engine/workloads/table.h"
#include "parsers/read.h"

namespace elapid::linearize {
namespace {

std::string event(std::string_view type, int process, std::string_view rest) {
  return "{:type :" + std::string(type) + ", :process " + std::to_string(process) +
         ", :f :" + std::string(rest) + "}\n";
}

std::string put(int process, std::string_view key, int value) {
  const std::string rest =
      "put, :key \"" + std::string(key) + "\", :value \"" + std::to_string(value) + "\"";
  return event("invoke", process, rest) + event("ok", process, rest);
}

/// `value`: as in the history.
std::string get(int process, std::string_view key, std::string_view value) {
  const std::string rest = "get, :key \"" + std::string(key) + "\", :value ";
  return event("invoke", process, rest + "nil") + event("ok", process, rest + std::string(value));
}

LoadedHistory history_in(const std::string& text, std::string_view workload) {
  ReadOptions options;
  options.workload = find_workload(workload);
  Result<LoadedHistory> loaded = read_history(memory_source("calls.edn", text), options);
  REQUIRE(loaded);
  return std::move(loaded.value());
}

Verdict verdict_on(const History& history, const ModelSet& models) {
  Result<Verdict> verdict = check(history, {.models = models});
  REQUIRE(verdict);
  return std::move(verdict.value());
}

void check_claims(const History& history, const Verdict& verdict, std::uint64_t work) {
  for (const LevelAnswer& level : verdict.levels) {
    const Result<Verdict> proved = prove_objects(history, {.work = work}, level);
    REQUIRE(proved);
    CHECK(proved.value().unknown_because.value_or("") == "");
  }
}

TEST_CASE("sequential search: neither level follows from the other without an invocation") {
  const LoadedHistory loaded =
      history_in(event("invoke", 2, "read, :value nil") + event("ok", 2, "read, :value nil") +
                     event("ok", 0, "write, :value 1") + event("ok", 0, "read, :value nil"),
                 "cas-register");
  const History& history = loaded.history();
  CHECK(verdict_on(history, {elapid::Model::kLinearizable}).validity == Validity::kValid);
  const Verdict sequential = verdict_on(history, {elapid::Model::kSequential});
  CHECK(sequential.validity == Validity::kInvalid);
  CHECK(!sequential.also_not_models.test(elapid::Model::kLinearizable));
  const Verdict both =
      verdict_on(history, {elapid::Model::kLinearizable, elapid::Model::kSequential});
  CHECK(both.validity == Validity::kInvalid);
  CHECK(both.not_models == ModelSet{elapid::Model::kSequential});
  REQUIRE(both.levels.size() == 2);
  CHECK(both.levels[0].validity == Validity::kValid);
  CHECK(both.levels[1].validity == Validity::kInvalid);
  check_claims(history, both, 10'000);
}

TEST_CASE("sequential search: many reads do not hinder the second opinion") {
  std::string text;
  for (int i = 0; i < 48; ++i) {
    text += get(i % 8, "x", "nil");
  }
  const LoadedHistory loaded = history_in(text + put(0, "x", 1) + get(0, "x", "nil"), "kv");
  const Verdict verdict = verdict_on(loaded.history(), {elapid::Model::kSequential});
  CHECK(verdict.validity == Validity::kInvalid);
  CHECK(verdict.levels.size() == 1);
  check_claims(loaded.history(), verdict, 1'000);
}

TEST_CASE("sequential search: many operations, some of which show the value before the last") {
  std::string text;
  for (int i = 0; i < 3'000; ++i) {
    const std::string before = i == 0 ? "nil" : '"' + std::to_string(i - 1) + '"';
    text += put(i % 2, "x", i) + get(2, "x", before) + put(3, "y", i);
  }
  const LoadedHistory loaded = history_in(text, "kv");
  const Verdict verdict = verdict_on(loaded.history(), {elapid::Model::kSequential});
  CHECK(verdict.validity == Validity::kValid);
  CHECK(verdict.levels.size() == 1);
  check_claims(loaded.history(), verdict, 1'000);
}

/// A register whose reads are not told apart from its writes.
class RegisterModel : public Model {
 public:
  [[nodiscard]] State initial() const override { return {ValueId::nil().bits()}; }

  void step(const State& state, const Operation& op, std::vector<State>& next) const override {
    if (!op.argument.is_none()) {
      next.push_back({op.argument.bits()});
    } else if (state.front() == op.result.bits()) {
      next.push_back(state);
    }
  }
};

TEST_CASE("sequential search: it ends where the work or the budget does") {
  std::string text;
  for (int i = 0; i < 24; ++i) {
    text += put(i % 4, "x", i);
  }
  const LoadedHistory loaded = history_in(text + get(0, "x", "\"99\""), "kv");
  const History& history = loaded.history();
  ObjectType type = {.name = "register"};
  type.decode = [&](TxnId txn) {
    const Op op = history.ops(txn).front();
    return op.is_write() ? Operation{.argument = op.value()} : Operation{.result = op.value()};
  };
  const std::vector<Object> objects = objects_of(history, type);
  const ModelOf model_of = [](const Object&) { return std::make_unique<RegisterModel>(); };

  std::uint64_t work = 1'000'000;
  CHECK(search_sequentially(history, objects, model_of, work).answer == PlainAnswer::kNoOrder);
  const std::uint64_t needed = 1'000'000 - work;
  CHECK(needed > 2'000);
  CHECK(try_all_orders(history, objects, model_of, 1'000'000) == PlainAnswer::kNoOrder);

  work = needed / 2;
  CHECK(search_sequentially(history, objects, model_of, work).answer == PlainAnswer::kSpent);
  CHECK(work == 0);
  CHECK(try_all_orders(history, objects, model_of, 1'000) == PlainAnswer::kSpent);

  const auto has_none = [] { return false; };
  work = 1'000'000;
  CHECK(search_sequentially(history, objects, model_of, work, has_none).answer ==
        PlainAnswer::kSpent);
  CHECK(try_all_orders(history, objects, model_of, 1'000'000, has_none) == PlainAnswer::kSpent);
}

}  // namespace
}  // namespace elapid::linearize
