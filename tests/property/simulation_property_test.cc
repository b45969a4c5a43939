// The simulated databases: what each produces satisfies its level, and violates the levels next
// above it.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/levels/entailment.h"
#include "harness/generate/generate.h"
#include "harness/generate/to_history.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// A kind of transactions, on few keys so that they meet.
struct Sort {
  std::string_view name;
  std::string_view workload;
  std::uint64_t values = 0;
  std::uint64_t transactions = 300;
};

constexpr std::array kSorts = {
    Sort{"list-append", "list-append"},
    Sort{"rw-register", "rw-register"},
    // Whose write a read saw is a search, which grows fast with the transactions.
    Sort{"rw-register, repeating", "rw-register", 3, 60},
    Sort{"mini", "mini"},
};

constexpr Faults kFaults = {.aborts = 50'000, .indeterminate = 50'000, .crashes = 20'000};

History simulated(const StoreKind& kind, const Sort& sort, std::uint64_t seed,
                  const Faults& faults) {
  const Result<std::unique_ptr<Simulation>> simulation = make_simulation(
      {.workload = sort.workload,
       .store = kind.name,
       .requests = {.keys = 5, .max_writes = 16, .values = sort.values},
       .storage = {.failover_every = 40},
       .clients = {
           .seed = seed, .sessions = 5, .transactions = sort.transactions, .faults = faults}});
  REQUIRE(simulation.ok());
  Result<History> history = to_history(*simulation.value());
  REQUIRE(history.ok());
  return std::move(history).value();
}

/// What is said of one level, within a budget that is the same on every machine.
Validity validity_of(const History& history, Model model) {
  constexpr std::uint64_t kMostQuestions = 200'000;
  std::uint64_t questions = 0;
  CheckOptions options = {.models = ModelSet{model},
                          .has_budget = [&questions] { return ++questions < kMostQuestions; }};
  options.budget.solver_work = 50'000'000;
  const Result<Verdict> verdict = check(history, options);
  REQUIRE(verdict.ok());
  return verdict.value().validity;
}

/// Nothing if the store keeps no level.
std::optional<Model> level_of(const StoreKind& kind, const Sort& sort) {
  return sort.workload == "list-append" ? kind.keeps_of_lists : kind.keeps_of_registers;
}

bool is_above(Model model, Model other) {
  return entailed(model).test(other) && !entailed(other).test(model);
}

/// The weakest of the levels above this one that an engine decides.
std::vector<Model> next_stronger(Model level) {
  std::vector<Model> above;
  for (const Model model : ModelSet::all()) {
    if (is_above(model, level) && !is_decided_by_others(model)) {
      above.push_back(model);
    }
  }
  std::vector<Model> next;
  std::ranges::copy_if(above, std::back_inserter(next), [&](Model model) {
    return std::ranges::none_of(above, [&](Model between) { return is_above(model, between); });
  });
  return next;
}

/// What is not violated, and why.
struct NeverViolated {
  std::string_view store;
  std::string_view sort;  // empty: any
  Model level;
  std::string_view reason;
};

constexpr std::string_view kOrderOfCommits =
    "versions have the order of commits, which no session contradicts";
constexpr std::string_view kManyExplanations =
    "of sixty transactions whose values repeat there are too many explanations";
constexpr std::array kNeverViolated = {
    NeverViolated{"read-uncommitted", "", Model::kStrongSessionPl1, kOrderOfCommits},
    NeverViolated{"read-committed", "", Model::kStrongSessionPl2, kOrderOfCommits},
    NeverViolated{"mixed-levels", "", Model::kStrongSessionPl2, kOrderOfCommits},
    NeverViolated{"monotonic-atomic-view", "", Model::kRc, kOrderOfCommits},
    NeverViolated{"read-atomic", "rw-register, repeating", Model::kCausalCerone, kManyExplanations},
    NeverViolated{"lossy-failover", "rw-register, repeating", Model::kPrefix, kManyExplanations},
};

bool is_never_violated(const StoreKind& kind, const Sort& sort, Model level) {
  return std::ranges::any_of(kNeverViolated, [&](const NeverViolated& row) {
    return row.store == kind.name && row.level == level &&
           (row.sort.empty() || row.sort == sort.name);
  });
}

std::string text(const StoreKind& kind, const Sort& sort) {
  return std::string(kind.name) + ", " + std::string(sort.name);
}

bool is_violated(const StoreKind& kind, const Sort& sort, Model level, std::uint64_t first_seed) {
  constexpr std::uint64_t kSeeds = 60;
  for (std::uint64_t seed = first_seed; seed < first_seed + kSeeds; ++seed) {
    if (validity_of(simulated(kind, sort, seed, {}), level) == Validity::kInvalid) {
      return true;
    }
  }
  return false;
}

TEST_CASE("simulation property: a store keeps its level") {
  const std::uint64_t first = 70'000'000 + first_seed_of_cases();
  const std::size_t rounds = round_count(8, 200);
  std::size_t undecided = 0;
  std::size_t decided = 0;
  for (const StoreKind& kind : store_kinds()) {
    for (const Sort& sort : kSorts) {
      const std::optional<Model> level = level_of(kind, sort);
      for (std::uint64_t seed = first; level && seed < first + rounds; ++seed) {
        INFO(text(kind, sort) << ", seed " << seed);
        const Faults faults = seed % 4 == 0 ? Faults() : kFaults;
        const Validity validity = validity_of(simulated(kind, sort, seed, faults), *level);
        CHECK(validity != Validity::kInvalid);
        // It has no engine of its own: it is violated if one of its two parts is.
        if (level != Model::kParallelSnapshotIsolation) {
          ++(validity == Validity::kUnknown ? undecided : decided);
        }
      }
    }
  }
  INFO(undecided << " undecided, " << decided << " valid");
  CHECK(undecided * 50 < decided);
}

TEST_CASE("simulation property: a store keeps its level where reads decide what follows") {
  const std::uint64_t first = 71'000'000 + first_seed_of_cases();
  const std::size_t rounds = round_count(2, 100);
  static constexpr std::array kPrograms = {Sort{"smallbank", "smallbank"}, Sort{"voter", "voter"},
                                           Sort{"tpc-c", "tpc-c", 0, 60},
                                           Sort{"wikipedia", "wikipedia"}};
  for (const StoreKind& kind : store_kinds()) {
    for (const Sort& sort : kPrograms) {
      const std::optional<Model> level = level_of(kind, sort);
      for (std::uint64_t seed = first; level && seed < first + rounds; ++seed) {
        INFO(text(kind, sort) << ", seed " << seed);
        CHECK(validity_of(simulated(kind, sort, seed, kFaults), *level) != Validity::kInvalid);
      }
    }
  }
}

/// Numbers of all kinds, drawn by the seed.
Recipe any_recipe(const StoreKind& kind, const Sort& sort, std::uint64_t seed) {
  Random random(seed);
  Recipe recipe = {.workload = sort.workload, .store = kind.name};
  recipe.requests = {.keys = 1 + random.below(20),
                     .max_writes = random.pick(std::vector<std::uint64_t>{0, 1, 2, 8, 32}),
                     .key_law = {.kind = static_cast<Law::Kind>(random.below(4))},
                     .max_length = 1 + random.below(8),
                     .reads = static_cast<std::uint32_t>(100'000 * (1 + random.below(9))),
                     .values = sort.values == 0 ? 0 : 1 + random.below(8)};
  recipe.storage = {.staleness = random.below(65),
                    .replicas = 1 + random.below(4),
                    .failover_every = 1 + random.below(100),
                    .lost_tail = random.below(65)};
  recipe.clients = {.seed = seed,
                    .sessions = 1 + random.below(30),
                    .transactions = sort.transactions,
                    .retries = random.below(3),
                    .pace_percent = static_cast<std::uint32_t>(100 + random.below(300)),
                    .faults = random.percent(50) ? Faults() : kFaults,
                    .final_reads = random.percent(50)};
  return recipe;
}

TEST_CASE("simulation property: a store keeps its level whatever the numbers are") {
  const std::uint64_t first = 72'000'000 + first_seed_of_cases();
  const std::size_t rounds = round_count(4, 200);
  for (const StoreKind& kind : store_kinds()) {
    for (const Sort& sort : kSorts) {
      const std::optional<Model> level = level_of(kind, sort);
      for (std::uint64_t seed = first; level && seed < first + rounds; ++seed) {
        INFO(text(kind, sort) << ", seed " << seed);
        const Result<std::unique_ptr<Simulation>> simulation =
            make_simulation(any_recipe(kind, sort, seed));
        REQUIRE(simulation.ok());
        const Result<History> history = to_history(*simulation.value());
        REQUIRE(history.ok());
        CHECK(validity_of(history.value(), *level) != Validity::kInvalid);
      }
    }
  }
}

TEST_CASE("simulation property: a store violates the levels next above its own") {
  const std::uint64_t first = 71'000'000 + first_seed_of_cases();
  for (const StoreKind& kind : store_kinds()) {
    for (const Sort& sort : kSorts) {
      const std::optional<Model> level = level_of(kind, sort);
      for (const Model stronger : level ? next_stronger(*level) : std::vector{Model::kPl1}) {
        INFO(text(kind, sort) << " never violates " << friendly_name(stronger));
        CHECK(
            (is_never_violated(kind, sort, stronger) || is_violated(kind, sort, stronger, first)));
      }
    }
  }
}

}  // namespace
}  // namespace elapid
