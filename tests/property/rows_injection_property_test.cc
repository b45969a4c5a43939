// Anomalies of rows that are injected: what levels say of each alone they say of the whole.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/check/check.h"
#include "engine/levels/workload_entailment.h"
#include "harness/generate/simulation.h"
#include "harness/generate/to_history.h"
#include "harness/generate/workloads/predicates.h"
#include "harness/inject/injector.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr std::array kInjectedLevels = {Model::kPl2,
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
    for (const Model model : kInjectedLevels) {
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

/// The weakest level that forbids an injection, and the name of its violation there.
struct Forbidden {
  std::string_view injection;
  Model by;
  AnomalyType called;
};

constexpr std::array kForbidden = {
    Forbidden{"G0", Model::kPl2, AnomalyType::kG0},
    Forbidden{"G-nonadjacent-item", Model::kPl299, AnomalyType::kGNonadjacentItem},
    Forbidden{"G-nonadjacent-item-process", Model::kStrongSessionSnapshotIsolation,
              AnomalyType::kGNonadjacentItemProcess},
    Forbidden{"G-nonadjacent-item-realtime", Model::kStrongSnapshotIsolation,
              AnomalyType::kGNonadjacentItemRealtime},
    Forbidden{"G-single-item", Model::kPl299, AnomalyType::kGSingleItem},
    Forbidden{"G-single-item-process", Model::kStrongSessionSnapshotIsolation,
              AnomalyType::kGSingleItemProcess},
    Forbidden{"G-single-item-realtime", Model::kStrongSnapshotIsolation,
              AnomalyType::kGSingleItemRealtime},
    Forbidden{"G2-item", Model::kPl299, AnomalyType::kG2Item},
    Forbidden{"G2-item-process", Model::kStrongSessionSerializable, AnomalyType::kG2ItemProcess},
    Forbidden{"G2-item-realtime", Model::kPlSs, AnomalyType::kG2ItemRealtime},
    Forbidden{"long-fork", Model::kPl299, AnomalyType::kGNonadjacentItem},
    Forbidden{"G-nonadjacent", Model::kPlSi, AnomalyType::kGNonadjacent},
    Forbidden{"G-nonadjacent-process", Model::kStrongSessionSnapshotIsolation,
              AnomalyType::kGNonadjacentProcess},
    Forbidden{"G-nonadjacent-realtime", Model::kStrongSnapshotIsolation,
              AnomalyType::kGNonadjacentRealtime},
    Forbidden{"G-single", Model::kPlSi, AnomalyType::kGSingle},
    Forbidden{"G-single-process", Model::kStrongSessionSnapshotIsolation,
              AnomalyType::kGSingleProcess},
    Forbidden{"G-single-realtime", Model::kStrongSnapshotIsolation, AnomalyType::kGSingleRealtime},
    Forbidden{"G1a", Model::kPl2, AnomalyType::kG1a},
    Forbidden{"G1b", Model::kPl2, AnomalyType::kG1b},
    Forbidden{"G1c", Model::kPl2, AnomalyType::kG1c},
    Forbidden{"G1c-process", Model::kStrongSessionSnapshotIsolation, AnomalyType::kG1cProcess},
    Forbidden{"G1c-realtime", Model::kStrongSnapshotIsolation, AnomalyType::kG1cRealtime},
    Forbidden{"G2", Model::kPl3, AnomalyType::kG2},
    Forbidden{"G2-process", Model::kStrongSessionSerializable, AnomalyType::kG2Process},
    Forbidden{"G2-realtime", Model::kPlSs, AnomalyType::kG2Realtime},
    Forbidden{"garbage-read", Model::kPl2, AnomalyType::kGarbageRead},
    Forbidden{"internal", Model::kPl2, AnomalyType::kInternal},
    Forbidden{"lost-update", Model::kPlSi, AnomalyType::kLostUpdate},
    Forbidden{"fractured-read", Model::kPlSi, AnomalyType::kGSingle},
    Forbidden{"phantom", Model::kPlSi, AnomalyType::kGSingle},
    Forbidden{"stale-read", Model::kStrongSnapshotIsolation, AnomalyType::kGSingleRealtime},
    Forbidden{"write-skew", Model::kPl3, AnomalyType::kG2},
};

TEST_CASE("injection property: the weakest level that forbids an injection of rows names it") {
  const std::size_t rounds = round_count(3, 100);
  std::uint64_t seed = 77'000'000 + first_seed_of_cases();
  CHECK(injectable_names(Workload::kRows).size() == kForbidden.size());
  for (const Forbidden& forbidden : kForbidden) {
    const auto weaker = [&](Model model) {
      return model != forbidden.by && entailed(forbidden.by, Workload::kRows).test(model);
    };
    for (std::size_t round = 0; round < rounds; ++round) {
      INFO(forbidden.injection << " at " << friendly_name(forbidden.by) << ", seed " << ++seed);
      const History history = rows_with(forbidden.injection, 15, seed);
      const Verdict verdict = check(history, {.models = {forbidden.by}}).value();
      CHECK(verdict.validity == Validity::kInvalid);
      CHECK(types_of(verdict.anomalies).test(forbidden.called));
      for (const Model model : kInjectedLevels) {
        INFO("weaker: " << friendly_name(model));
        CHECK((!weaker(model) ||
               check(history, {.models = {model}}).value().validity == Validity::kValid));
      }
    }
  }
}

}  // namespace
}  // namespace elapid
