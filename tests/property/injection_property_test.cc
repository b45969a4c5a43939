// Anomalies that are injected: every class into every workload is found at every level that finds
// it in the injected transactions alone, and nothing else is.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/check/check.h"
#include "engine/levels/ladder.h"
#include "harness/generate/simulation.h"
#include "harness/generate/to_history.h"
#include "harness/generate/workloads/transactions.h"
#include "harness/inject/injector.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

struct Base {
  std::string_view name;
  Workload workload;
  std::unique_ptr<RequestSource> (*requests)(const WorkloadOptions&);
};

constexpr std::array kBases = {
    Base{"list-append", Workload::kListAppend, list_append_requests},
    Base{"rw-register", Workload::kRwRegister, rw_register_requests},
    Base{"mini", Workload::kRwRegister, mini_requests},
    Base{"blind-writes", Workload::kRwRegister, blind_write_requests},
};

constexpr std::uint64_t kTransactions = 40;

/// Of a strictly serializable database, with all kinds of faults, and `what` three times in it.
History with_injections(const Base& base, const Injectable& what, std::uint64_t seed) {
  Injectable wanted = what;
  wanted.count = 3;
  Simulation simulation(*find_store("strict-serializable"), {},
                        base.requests({.keys = 4, .max_writes = 16}),
                        {.seed = seed,
                         .sessions = 4,
                         .transactions = kTransactions,
                         .faults = {.aborts = 50'000, .indeterminate = 50'000, .crashes = 20'000}});
  Injector injector(simulation, {wanted}, {.seed = seed, .events = 2 * kTransactions});
  Result<History> history = to_history(injector);
  REQUIRE(history.ok());
  REQUIRE(injector.injected().size() == wanted.count);
  return std::move(history).value();
}

ModelSet violated(const History& history) {
  const Result<Verdict> verdict = check(history, {.models = ModelSet::all(), .each_model = true});
  REQUIRE(verdict.ok());
  return models_that_are(Validity::kInvalid, verdict.value().ladder);
}

std::string types_at(const History& history, Model model) {
  const Result<Verdict> verdict = check(history, {.models = {model}});
  REQUIRE(verdict.ok());
  std::string names;
  for (const AnomalyType type : types_of(verdict.value().anomalies)) {
    names += std::string(name(type)) + ' ';
  }
  return names;
}

/// Levels of every strength at which inference names its findings.
constexpr std::array kNamingLevels = {Model::kPl1,
                                      Model::kPl2,
                                      Model::kPlSi,
                                      Model::kPl3,
                                      Model::kStrongSessionPl2,
                                      Model::kStrongSessionSnapshotIsolation,
                                      Model::kStrongSessionSerializable,
                                      Model::kStrongSnapshotIsolation,
                                      Model::kPlSs};

TEST_CASE("injection property: what is found in an injection alone is found in the whole") {
  const std::size_t rounds = round_count(2, 40);
  std::uint64_t seed = first_seed_of_cases();
  for (const Base& base : kBases) {
    for (const std::string_view name : injectable_names(base.workload)) {
      const Injectable injectable = parse_injections(name, base.workload).value().front();
      const History alone = build(injectable.history);
      const ModelSet violated_alone = violated(alone);
      for (std::size_t round = 0; round < rounds; ++round) {
        INFO(base.name << ", " << name << ", seed " << ++seed);
        const History whole = with_injections(base, injectable, seed);
        CHECK(violated(whole) == violated_alone);
        for (const Model model : kNamingLevels) {
          INFO("at " << friendly_name(model));
          CHECK(types_at(whole, model) == types_at(alone, model));
        }
      }
    }
  }
}

}  // namespace
}  // namespace elapid
