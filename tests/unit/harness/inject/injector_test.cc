#include "harness/inject/injector.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>

#include "engine/check/check.h"
#include "engine/verdict/timestamp_names.h"
#include "harness/generate/simulation.h"
#include "harness/generate/to_history.h"
#include "harness/generate/workloads/transactions.h"

namespace elapid {
namespace {

std::unique_ptr<Simulation> clean_history(std::string_view store, Workload workload,
                                          std::uint64_t seed, std::uint64_t transactions) {
  const WorkloadOptions options;
  return std::make_unique<Simulation>(
      *find_store(store), StoreOptions(),
      workload.has_lists() ? list_append_requests(options) : rw_register_requests(options),
      SimulationOptions{.seed = seed, .sessions = 4, .transactions = transactions});
}

struct Made {
  History history;
  std::vector<Injected> injected;
};

Made with_injections(Workload workload, std::string_view injections, std::uint64_t seed,
                     bool timestamps = false) {
  constexpr std::uint64_t kTransactions = 30;
  const std::unique_ptr<Simulation> source =
      clean_history(timestamps ? "strong-snapshot-isolation" : "strict-serializable", workload,
                    seed, kTransactions);
  Injector injector(*source, parse_injections(injections, workload).value(),
                    {.seed = seed, .events = 2 * kTransactions, .timestamps = timestamps});
  Result<History> history = to_history(injector, timestamps);
  REQUIRE(history.ok());
  return {std::move(history).value(), injector.injected()};
}

TEST_CASE("injector: a violation of timestamps is found in the whole, and nothing else") {
  for (const Workload workload : {Workload::kListAppend, Workload::kRwRegister}) {
    for (const std::string_view name :
         {"int", "ext", "noconflict", "session", "real-time", "start-after-commit"}) {
      INFO(workload.name() << " " << name);
      const Made made = with_injections(workload, std::string(name) + ":3", 7, true);
      const Verdict verdict = check(made.history, {.models = {Model::kStrongSnapshotIsolation},
                                                   .engine = Engine::kTimestamps})
                                  .value();
      REQUIRE(verdict.timestamps);
      std::set<std::string_view> violated;
      for (std::size_t axiom = 0; axiom < kTimestampAxiomCount; ++axiom) {
        if (verdict.timestamps->by_axiom.at(axiom) > 0) {
          CHECK(verdict.timestamps->by_axiom.at(axiom) == 3);
          violated.insert(elapid::name(static_cast<TimestampAxiom>(axiom)));
        }
      }
      CHECK(violated.contains(name));
      // A session's transactions follow one another in real time as well.
      CHECK(violated.size() == (name == std::string_view("session") ? 2 : 1));
    }
  }
}

TEST_CASE("injector: the record says which events, processes and keys") {
  const Made made = with_injections(Workload::kRwRegister, "G-single:2,G1a", 3);
  std::multiset<std::string> names;
  for (const Injected& one : made.injected) {
    names.insert(one.anomaly);
    CHECK(one.last_index - one.first_index + 1 == 4);
    CHECK(one.processes == 2);
    CHECK(one.keys == (one.anomaly == "G1a" ? 1 : 2));
  }
  CHECK(names == std::multiset<std::string>{"G-single-item", "G-single-item", "G1a"});
  const std::string json = to_json(std::vector{made.injected.front()});
  CHECK(json.starts_with("[{\"anomaly\": \"G"));
  CHECK(json.ends_with("}]\n"));
  CHECK(to_json(std::vector<Injected>()) == "[]\n");
}

TEST_CASE("injector: times grow, and the same seed gives the same history") {
  const auto times = [] {
    const std::unique_ptr<Simulation> source =
        clean_history("strict-serializable", Workload::kListAppend, 5, 20);
    Injector injector(*source,
                      parse_injections("G0:5,G1c:5,internal:50", Workload::kListAppend).value(),
                      {.seed = 5, .events = 40});
    std::vector<std::int64_t> all;
    PlainEvent event;
    while (injector.next(event)) {
      all.push_back(event.time);
    }
    return all;
  };
  const std::vector<std::int64_t> all = times();
  CHECK(std::ranges::adjacent_find(all, std::greater_equal()) == all.end());
  CHECK(all == times());
}

}  // namespace
}  // namespace elapid
