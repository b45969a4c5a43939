// What a check says does not depend on how many threads work: verdict, anomalies and evidence are
// the same byte for byte, in histories that keep a level and in those that do not.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "adapter/elle/explanation.h"
#include "adapter/elle/result_map.h"
#include "engine/check/check.h"
#include "engine/ir/share_work.h"
#include "harness/generate/generate.h"
#include "harness/generate/to_history.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr std::array kThreadsLevels = {Model::kPlSs,   Model::kPl3,        Model::kPlSi,
                                       Model::kCausal, Model::kReadAtomic, Model::kPl2,
                                       Model::kPl1};

struct ThreadsSort {
  std::string_view workload;
  std::uint64_t values = 0;
};

/// Values that repeat leave several writers to reads.
constexpr std::array kThreadsSorts = {ThreadsSort{"list-append"}, ThreadsSort{"rw-register"},
                                      ThreadsSort{"rw-register", 40}};

History simulated(const StoreKind& kind, const ThreadsSort& sort, std::uint64_t seed,
                  bool with_timestamps) {
  const Result<std::unique_ptr<Simulation>> simulation =
      make_simulation({.workload = sort.workload,
                       .store = kind.name,
                       .requests = {.keys = 5, .max_writes = 16, .values = sort.values},
                       .clients = {.seed = seed,
                                   .sessions = 5,
                                   .transactions = 100,
                                   .faults = {.aborts = 50'000, .indeterminate = 50'000}}});
  REQUIRE(simulation.ok());
  Result<History> history = to_history(*simulation.value(), with_timestamps);
  REQUIRE(history.ok());
  return std::move(history).value();
}

std::string told(const History& history, Model level, Engine engine, std::size_t threads) {
  CheckOptions options = {.models = {level}, .engine = engine, .threads = threads};
  options.budget.solver_work = 1'000'000;
  const Result<Verdict> verdict = check(history, options);
  return verdict ? result_map(history, verdict.value(), Syntax::kEdn) + "\n" +
                       explanation(history, verdict.value(), {})
                 : verdict.error().to_string();
}

TEST_CASE("threads property: an answer does not depend on their number") {
  const WorkThreads small_parts(1, 10);
  const std::uint64_t first = 79'000'000 + first_seed_of_cases();
  const std::size_t rounds = round_count(7, 100);
  for (const StoreKind& kind : store_kinds()) {
    for (const ThreadsSort& sort : kThreadsSorts) {
      for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
        const Model level = kThreadsLevels[seed % kThreadsLevels.size()];
        INFO(kind.name << ", " << sort.workload << ", level " << static_cast<int>(level)
                       << ", seed " << seed);
        for (const Engine engine : {Engine::kAuto, Engine::kTimestamps}) {
          const History history = simulated(kind, sort, seed, engine == Engine::kTimestamps);
          const std::string expected = told(history, level, engine, 1);
          for (const std::size_t threads : {2U, 3U, 8U}) {
            REQUIRE(told(history, level, engine, threads) == expected);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace elapid
