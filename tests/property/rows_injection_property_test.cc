// Anomalies of rows that are injected: what levels say of each alone they say of the whole.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "engine/check/check.h"
#include "harness/generate/simulation.h"
#include "harness/generate/to_history.h"
#include "harness/generate/workloads/predicates.h"
#include "harness/inject/injector.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr std::array kLevelsOfRows = {Model::kPl2,
                                      Model::kPl299,
                                      Model::kPlSi,
                                      Model::kStrongSessionSnapshotIsolation,
                                      Model::kStrongSnapshotIsolation,
                                      Model::kPl3,
                                      Model::kStrongSessionSerializable,
                                      Model::kPlSs};

/// Of a strictly serializable database, so many transactions, and the anomaly in between.
History rows_with(std::string_view name, std::uint64_t transactions, std::uint64_t seed) {
  Simulation simulation(
      *find_store("strict-serializable"), {}, predicate_requests({.keys = 2, .reads = 400'000}),
      {.seed = seed, .sessions = 4, .transactions = transactions, .faults = {.aborts = 100'000}});
  Injector injector(simulation, parse_injections(name, Workload::kRows).value(),
                    {.seed = seed, .events = 2 * transactions});
  Result<History> history = to_history(injector);
  REQUIRE(history.ok());
  return std::move(history).value();
}

TEST_CASE("injection property: what is found in an injection of rows is found in the whole") {
  const std::size_t rounds = round_count(2, 100);
  std::uint64_t seed = 76'000'000 + first_seed_of_cases();
  for (const std::string_view name : injectable_names(Workload::kRows)) {
    const History alone = rows_with(name, 0, 1);
    for (const Model model : kLevelsOfRows) {
      const Verdict expected = check(alone, {.models = {model}}).value();
      CHECK(expected.validity != Validity::kUnknown);
      for (std::size_t round = 0; round < rounds; ++round) {
        INFO(name << " at " << friendly_name(model) << ", seed " << ++seed);
        const Verdict found = check(rows_with(name, 15, seed), {.models = {model}}).value();
        CHECK(found.validity == expected.validity);
        CHECK(types_of(found.anomalies) == types_of(expected.anomalies));
      }
    }
  }
}

}  // namespace
}  // namespace elapid
