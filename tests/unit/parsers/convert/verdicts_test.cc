// A conversion that loses nothing relevant keeps the verdict.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/random_history.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// Larger files of the corpus are left out, unless ELAPID_CONVERT_BYTES says otherwise.
std::uintmax_t max_bytes() {
  return from_environment("ELAPID_CONVERT_BYTES", round_count(8'000, 100'000));
}

/// At a level without real time, which many formats do not keep.
Validity validity(const History& history) {
  const Result<Verdict> verdict = check(history, {.models = {Model::kStrongSessionSerializable}});
  REQUIRE(verdict);
  return verdict.value().validity;
}

/// What is not known to be invalid may be valid or unknown, which depends on what the engines make
/// of traces; what was unknown may be found out with an initial transaction.
bool is_kept(Validity before, Validity after) {
  return before == Validity::kInvalid ? after == Validity::kInvalid
                                      : before == Validity::kUnknown || after != Validity::kInvalid;
}

/// Whether lists become registers, whose versions have no order, or less is known for sure.
bool is_relevant(const std::vector<Loss>& losses) {
  return std::ranges::any_of(losses, [](const Loss& loss) {
    return loss.changes_verdict || loss.letter == 'A' || loss.what.starts_with("reads of what");
  });
}

/// The number of formats in which the verdict was compared.
std::size_t compare_verdicts(const History& history, Workload workload) {
  const Validity before = validity(history);
  std::size_t compared = 0;
  for (const Target& target : targets()) {
    const TemporaryFolder folder;
    const auto report = write_history(history, workload, folder / "out", {.target = &target});
    if (!report || is_relevant(report.value().losses)) {
      continue;
    }
    const auto again = read_history(
        folder / "out", {.format = FormatName{target.format, std::string(target.dialect)},
                         .workload = target.one_register ? Workload::kCasRegister : workload});
    INFO(text(target) << (again ? "" : ": " + again.error().to_string()));
    REQUIRE(again);
    CHECK(is_kept(before, validity(again.value().history())));
    ++compared;
  }
  return compared;
}

TEST_CASE("small random histories keep their verdicts in every format") {
  for (const Workload model : {Workload::kListAppend, Workload::kRwRegister}) {
    std::size_t compared = 0;
    const std::size_t histories = round_count(32, 300);
    for (std::uint64_t seed = 0; seed < histories; ++seed) {
      const TinyHistory tiny = random_history(model, seed);
      INFO(to_text(tiny));
      compared += compare_verdicts(build(tiny), model);
    }
    CHECK(compared > histories);
  }
}

TEST_CASE("histories of the corpus keep their verdicts in every format") {
  const fs::path corpus = fs::path(ELAPID_SHARED) / "corpus";
  if (!fs::exists(corpus)) {
    WARN("skipped: there is no " << corpus);
    std::cerr << "SKIPPED: there is no " << corpus << '\n';
    return;
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
    if (entry.is_regular_file() && entry.file_size() <= max_bytes()) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < files.size(); i += stride()) {
    const auto loaded = read_history(files[i].string(), {});
    if (!loaded || loaded.value().history().txn_count() == 0) {
      continue;
    }
    const Workload workload = loaded.value().history().workload();
    if (workload == Workload::kOther || !workload.has_transactions()) {
      continue;
    }
    INFO(files[i]);
    compared += compare_verdicts(loaded.value().history(), workload);
  }
  CHECK(compared > 20);
}

}  // namespace
}  // namespace elapid
