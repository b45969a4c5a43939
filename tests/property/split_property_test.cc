// A check in partitions says what a check in memory says: verdict, anomalies, evidence and counts,
// byte for byte, whatever the partitions, the pieces and the ranks. Larger counts:
// ELAPID_PROPERTY_CASES.
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <variant>

#include "adapter/elle/explanation.h"
#include "adapter/elle/result_map.h"
#include "harness/generate/simulation.h"
#include "harness/generate/to_history.h"
#include "harness/generate/workloads/transactions.h"
#include "harness/inject/injector.h"
#include "parsers/door/door.h"
#include "parsers/formats.h"
#include "parsers/partitions/split_check.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/property/for_all.h"
#include "tests/support/sample_size.h"
#include "tests/support/thread_peers.h"

namespace elapid {
namespace {

constexpr std::uint64_t kFirstSeed = 77'000'000'000;

constexpr std::array kLevels = {Model::kPlSs, Model::kPl3, Model::kPlSi, Model::kPl2, Model::kPl1};

struct Shape {
  unsigned partitions = 1;
  std::uint64_t piece_bytes = 1;
  unsigned ranks = 1;
};

constexpr std::array kShapes = {Shape{3, 150},    Shape{1, 1'000'000},    Shape{7, 1},
                                Shape{2, 400},    Shape{1, 1'000'000, 2}, Shape{2, 900, 3},
                                Shape{1, 400, 8}, Shape{3, 500, 2}};

CheckOptions options_at(Model level) {
  return {.models = {level}};
}

/// Everything that is said, with what is read again from the input.
std::string told(LoadedHistory& loaded, const Verdict& verdict) {
  return result_map(loaded.history(), verdict, Syntax::kEdn, event_fields(loaded)) + "\n" +
         explanation(loaded.history(), verdict, {});
}

bool is_inferred(const Verdict& verdict) {
  return verdict.engine == "elle" && verdict.levels.empty();
}

/// What differs from the answer in memory. Unknown is an answer where the whole is needed.
std::string differs(const std::string& edn, Model level, Shape shape, Tally& tally) {
  Result<LoadedHistory> whole = read_history(memory_source("h.edn", edn), ReadOptions());
  if (!whole) {
    return "";
  }
  const Result<Verdict> expected = check_history(whole.value().history(), options_at(level));
  REQUIRE(expected);
  auto outcome = on_ranks(shape.ranks, [&](Peers& peers) {
    return check_in_partitions(memory_source("h.edn", edn),
                               {.scatter = {.piece_bytes = shape.piece_bytes},
                                .partitions = shape.partitions,
                                .with_rw = level != Model::kPl2 && level != Model::kPl1,
                                .peers = &peers,
                                .check = [&](const LoadedHistory& part) {
                                  return check_history(part.history(), options_at(level));
                                }});
  });
  if (!outcome) {
    return outcome.error().to_string();
  }
  if (std::holds_alternative<NotSplit>(outcome.value())) {
    ++tally.complete;
    return "";
  }
  auto& [part, verdict] = std::get<SplitVerdict>(outcome.value());
  tally.valid += verdict.validity == Validity::kValid ? 1 : 0;
  tally.invalid += verdict.validity == Validity::kInvalid ? 1 : 0;
  if (!is_inferred(expected.value())) {
    const bool agrees =
        verdict.validity == expected.value().validity || verdict.validity == Validity::kUnknown;
    return agrees ? "" : "another verdict than the search in memory gives";
  }
  const std::string in_memory = told(whole.value(), expected.value());
  const std::string in_parts = told(part, verdict);
  return in_memory == in_parts ? "" : "in memory:\n" + in_memory + "\nin partitions:\n" + in_parts;
}

void run(Variety variety, std::uint64_t seed, std::size_t rarest) {
  const Tally tally = for_both_answers(
      {.variety = variety, .cases = case_count(200)}, seed,
      [](const TinyHistory& history, Tally& of_case) {
        const std::string edn = to_edn(history);
        for (std::size_t i = 0; i < kLevels.size(); ++i) {
          const Shape shape = kShapes.at((edn.size() + i) % kShapes.size());
          if (std::string wrong = differs(edn, kLevels.at(i), shape, of_case); !wrong.empty()) {
            return std::string(friendly_name(kLevels.at(i))) + ": " + wrong;
          }
        }
        return std::string();
      },
      rarest);
  INFO(tally.valid << " valid, " << tally.invalid << " invalid, not split " << tally.complete);
  CHECK(tally.complete < tally.valid + tally.invalid);
}

TEST_CASE("split: small random histories", "[property]") {
  run(Variety::kDistinct, kFirstSeed, 10);
}

TEST_CASE("split: elements that repeat", "[property]") {
  run(Variety::kRepeating, kFirstSeed + 1'000'000, 50);
}

TEST_CASE("split: larger random histories", "[property]") {
  run(Variety::kLarge, kFirstSeed + 2'000'000, 100);
}

TEST_CASE("split: corners", "[property]") {
  run(Variety::kCorners, kFirstSeed + 3'000'000, 50);
}

/// A simulated database with all kinds of faults, and the anomaly three times in it, as EDN.
std::string with_injections(std::string_view name, std::uint64_t seed) {
  Injectable wanted = parse_injections(name, Workload::kListAppend).value().front();
  wanted.count = 3;
  constexpr std::uint64_t kTransactions = 60;
  Simulation simulation(*find_store("strict-serializable"), {},
                        list_append_requests({.keys = 4, .max_writes = 12}),
                        {.seed = seed,
                         .sessions = 4,
                         .transactions = kTransactions,
                         .faults = {.aborts = 50'000, .indeterminate = 80'000, .crashes = 20'000}});
  Injector injector(simulation, {wanted}, {.seed = seed, .events = 2 * kTransactions});
  const Result<History> history = to_history(injector);
  REQUIRE(history.ok());
  const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                     ("elapid-split-" + std::to_string(getpid()) + ".edn");
  const Result<ConversionReport> written =
      write_history(history.value(), Workload::kListAppend, path.string(),
                    {.target = find_target(*find_format("edn")), .policy = LossPolicy::kAny});
  REQUIRE(written.ok());
  std::ifstream file(path);
  std::string edn{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  return edn;
}

TEST_CASE("split: every injected anomaly", "[property]") {
  const std::size_t rounds = round_count(1, 20);
  std::uint64_t seed = first_seed_of_cases();
  Tally tally;
  for (const std::string_view injected : injectable_names(Workload::kListAppend)) {
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::string edn = with_injections(injected, ++seed);
      for (std::size_t i = 0; i < kLevels.size(); ++i) {
        INFO(injected << ", seed " << seed << ", " << friendly_name(kLevels.at(i)));
        const Shape shape = {static_cast<unsigned>(1 + (seed + i) % 5), 200 + 700 * (i % 3),
                             static_cast<unsigned>(1 + seed % 3)};
        CHECK(differs(edn, kLevels.at(i), shape, tally) == "");
      }
    }
  }
  CHECK(tally.invalid > 0);
  CHECK(tally.valid > 0);
}

}  // namespace
}  // namespace elapid
