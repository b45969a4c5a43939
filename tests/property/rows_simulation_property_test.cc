// Rows of simulated databases: each store keeps its level of them, and violates those next above,
// with the anomaly that the form of its transactions invites.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "harness/generate/generate.h"
#include "harness/generate/to_history.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr Faults kRowFaults = {.aborts = 50'000, .indeterminate = 50'000, .crashes = 30'000};

/// The form of this number alone; all of them if there is none.
RowFormWeights weights_of(std::size_t form) {
  RowFormWeights weights = {};
  if (form < kRowForms) {
    weights[form] = 1;
  }
  return weights;
}

History made(std::string_view store, std::size_t form, std::uint64_t seed, const Faults& faults,
             std::uint64_t transactions = 24) {
  const Result<std::unique_ptr<Simulation>> simulation =
      make_simulation({.workload = "predicates",
                       .store = store,
                       .requests = {.keys = 2, .reads = 300'000, .forms = weights_of(form)},
                       .clients = {.seed = seed,
                                   .sessions = 5,
                                   .transactions = transactions,
                                   .faults = faults,
                                   .final_reads = seed % 2 == 0}});
  REQUIRE(simulation.ok());
  Result<History> history = to_history(*simulation.value());
  REQUIRE(history.ok());
  return std::move(history).value();
}

Verdict verdict_at(const History& history, Model model) {
  std::uint64_t questions = 0;
  CheckOptions options = {.models = ModelSet{model},
                          .has_budget = [&questions] { return ++questions < 1'000'000; }};
  Result<Verdict> verdict = check(history, options);
  REQUIRE(verdict.ok());
  return std::move(verdict).value();
}

std::vector<const StoreKind*> stores_of_rows() {
  std::vector<const StoreKind*> kinds;
  for (const StoreKind& kind : store_kinds()) {
    if (kind.keeps_of_rows) {
      kinds.push_back(&kind);
    }
  }
  return kinds;
}

TEST_CASE("rows simulation property: a store keeps its level, whatever transactions do") {
  const std::uint64_t first = 73'000'000 + first_seed_of_cases();
  const std::size_t rounds = round_count(9, 900);
  std::size_t undecided = 0;
  std::size_t decided = 0;
  for (const StoreKind* kind : stores_of_rows()) {
    for (std::uint64_t seed = first; seed < first + rounds; ++seed) {
      const std::size_t form = seed % (kRowForms + 1);
      const bool has_faults = seed % 2 != 0;
      INFO(kind->name << ", form " << form << ", seed " << seed);
      const History history = made(kind->name, form, seed, has_faults ? kRowFaults : Faults());
      const Validity validity = verdict_at(history, *kind->keeps_of_rows).validity;
      CHECK(validity != Validity::kInvalid);
      // What an indeterminate write by a predicate may have found, read committed leaves open.
      if (kind->keeps_of_rows != Model::kPl2 || !has_faults) {
        ++(validity == Validity::kUnknown ? undecided : decided);
      }
    }
  }
  INFO(undecided << " undecided, " << decided << " valid");
  CHECK(undecided * 20 < decided);
}

/// Which stores violate what.
struct Violated {
  std::string_view store;
  Model level;
};

constexpr std::array kViolated = {
    Violated{"read-committed", Model::kReadAtomic},
    Violated{"read-committed", Model::kPlSi},
    Violated{"read-atomic", Model::kPlSi},
    Violated{"read-committed", Model::kPl3},
    Violated{"snapshot-isolation", Model::kStrongSessionSnapshotIsolation},
    Violated{"snapshot-isolation", Model::kPl3},
    Violated{"strong-session-snapshot-isolation", Model::kStrongSnapshotIsolation},
    Violated{"strong-snapshot-isolation", Model::kPl3},
    Violated{"serializable", Model::kStrongSessionSerializable},
    Violated{"strong-session-serializable", Model::kPlSs},
    Violated{"stale-replicas", Model::kPlSs},
};

TEST_CASE("rows simulation property: a store violates the levels next above its own") {
  const std::uint64_t first = 74'000'000 + first_seed_of_cases();
  constexpr std::uint64_t kSeeds = 40;
  constexpr std::uint64_t kRunTransactions = 25;
  for (const Violated& row : kViolated) {
    INFO(row.store << " never violates " << friendly_name(row.level));
    bool is_violated = false;
    for (std::uint64_t seed = first; !is_violated && seed < first + kSeeds; ++seed) {
      is_violated =
          verdict_at(made(row.store, kRowForms, seed, {}, kRunTransactions), row.level).validity ==
          Validity::kInvalid;
    }
    CHECK(is_violated);
  }
}

/// A form, and the anomaly that snapshot isolation lets it have.
TEST_CASE("rows simulation property: each form that guards by a search has its write skew") {
  const std::uint64_t first = 75'000'000 + first_seed_of_cases();
  constexpr std::uint64_t kSeeds = 40;
  for (const RowForm form :
       {RowForm::kEmptyRange, RowForm::kAbsentKey, RowForm::kBank, RowForm::kScheduling,
        RowForm::kUniqueName, RowForm::kIdAllocation, RowForm::kOnCall}) {
    INFO(row_forms()[static_cast<std::size_t>(form)].name << " has no write skew");
    bool has_skew = false;
    for (std::uint64_t seed = first; !has_skew && seed < first + kSeeds; ++seed) {
      const History history =
          made("strong-snapshot-isolation", static_cast<std::size_t>(form), seed, {}, 40);
      const Verdict verdict = verdict_at(history, Model::kPlSs);
      const AnomalySet types = types_of(verdict.anomalies);
      has_skew = types.test(AnomalyType::kG2) || types.test(AnomalyType::kG2Item) ||
                 types.test(AnomalyType::kGNonadjacent);
    }
    CHECK(has_skew);
  }
}

}  // namespace
}  // namespace elapid
