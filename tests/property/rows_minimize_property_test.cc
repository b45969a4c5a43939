// Minimized random histories of rows are still violations, by brute force too, nothing more can go
// from them, and readers accept them.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "harness/minimize/keeps.h"
#include "harness/minimize/minimize.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"
#include "tests/property/deletable_part.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

constexpr std::array kModels = {
    Model::kPl3,  Model::kStrongSessionSerializable,      Model::kPlSs,
    Model::kPlSi, Model::kStrongSessionSnapshotIsolation, Model::kStrongSnapshotIsolation};

Validity validity_after_writing(const History& history, const std::string& format, Model model) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "small").string();
  REQUIRE(write_history(history, Workload::kRows, path,
                        {.target = find_target(*find_format(format)), .policy = LossPolicy::kAny})
              .ok());
  const Result<LoadedHistory> read = read_history(path, {});
  REQUIRE(read.ok());
  const Result<Verdict> verdict = check(read.value().history(), {.models = {model}});
  REQUIRE(verdict.ok());
  return verdict.value().validity;
}

/// Clauses alone and orders alone never contradict the answer of both.
void ask_each_engine(const History& whole, Model model, Validity validity) {
  for (const Engine engine : {Engine::kSolver, Engine::kSearch}) {
    const Result<Verdict> verdict = check(whole, {.models = {model}, .engine = engine});
    REQUIRE(verdict.ok());
    const bool agrees =
        verdict.value().validity == validity || verdict.value().validity == Validity::kUnknown;
    CHECK(agrees);
    CHECK((verdict.value().validity != Validity::kUnknown || verdict.value().unknown_because));
  }
}

/// Whether there was something to minimize.
bool minimize_and_compare(const History& whole, Model model, bool keeps_level) {
  const CheckOptions options = {.models = {model}};
  const Result<Verdict> verdict = check(whole, options);
  REQUIRE(verdict.ok());
  ask_each_engine(whole, model, verdict.value().validity);
  if (verdict.value().validity != Validity::kInvalid) {
    return false;
  }
  const std::vector<FoundAnomaly> found = anomalies_found(whole, verdict.value());
  if (found.empty()) {
    return false;
  }
  const Keeps keeps = keeps_level ? keeps_violation(verdict.value(), options)
                                  : keeps_anomaly(found.front().name, verdict.value(), options);
  const auto minimized = [&](std::size_t threads) {
    return minimize(whole, keeps, {.threads = threads, .named = found.front().named});
  };
  const Result<Minimized> small = minimized(1);
  REQUIRE(small.ok());
  const History& history = small.value().history;
  INFO(rows_text(whole) << "became\n" << rows_text(history));
  CHECK(small.value().is_one_minimal);
  CHECK(keeps(history).value());
  CHECK(deletable_part(history, keeps) == "");
  if (history.info().rows->is_closed()) {
    CHECK_FALSE(rows_hold(history, order_level(model).value()));
  }
  for (const std::string format : {"edn", "jsonl"}) {
    CHECK(validity_after_writing(history, format, model) == Validity::kInvalid);
  }
  const Result<Minimized> four = minimized(4);
  REQUIRE(four.ok());
  CHECK(rows_text(four.value().history) == rows_text(history));
  return true;
}

TEST_CASE("minimize property: rows") {
  const std::uint64_t first = 6'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(600);
  std::uint64_t minimized = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Result<History> whole = build(random_rows(seed));
    const Model model = kModels.at(seed % kModels.size());
    if (!whole.ok() || (order_level(model)->real_time && !whole.value().info().has_real_time)) {
      continue;
    }
    INFO("seed " << seed << " at " << friendly_name(model));
    minimized +=
        minimize_and_compare(whole.value(), model, seed / kModels.size() % 2 == 0) ? 1U : 0U;
  }
  CHECK(minimized > cases / 20);
}

}  // namespace
}  // namespace elapid
