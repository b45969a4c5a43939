// All that Elle itself answered, asked again.
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include "engine/check/check.h"
#include "parsers/read.h"
#include "tests/golden/golden_case.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

// Ends within minutes under sanitizers too; no case needs more.
constexpr std::uint64_t kEdgeVisits = 2'000'000;

/// Reads and checks as the command line would.
Result<Verdict> check_case(const GoldenCase& golden, bool elle_compat) {
  Result<LoadedHistory> loaded = read_history(
      golden.history.string(), {.workload = golden.workload, .elle_compat = elle_compat});
  if (!loaded.ok()) {
    return loaded.error();
  }
  CheckOptions options = golden.options;
  options.assumptions.elle_compat = elle_compat;
  options.budget.edge_visits = kEdgeVisits;
  return check(loaded.value().history(), options);
}

/// Names of cases, a line each; `#` begins a comment.
std::set<std::string> known_differences() {
  std::ifstream in(ELAPID_GOLDEN_KNOWN_DIFFERENCES);
  REQUIRE(in.good());
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() != '#') {
      names.insert(line);
    }
  }
  return names;
}

/// Where all cases are, and where the share of them is that every clone has.
const fs::path kAll = fs::path(ELAPID_SHARED) / "golden";
const fs::path kSample = fs::path(ELAPID_TEST_DATA) / "golden";

/// The cases of a folder; none, said aloud, where it is missing.
std::vector<GoldenCase> cases_in(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    std::cerr << "SKIPPED: no golden cases at " << folder
              << "; set ELAPID_SHARED to compare them with Elle's answers\n";
    return {};
  }
  std::vector<GoldenCase> cases = golden_cases(folder);
  CHECK_FALSE(cases.empty());
  return cases;
}

std::string describe(const Result<Verdict>& result) {
  return result.ok() ? to_text(answer_of(result.value())) : result.error().to_string();
}

void compare_with_elle(const fs::path& folder) {
  const std::set<std::string> known = known_differences();
  for (const GoldenCase& golden : cases_in(folder)) {
    const Result<Verdict> result = check_case(golden, true);
    INFO(golden.name << "\n  Elle:   "
                     << (golden.elle_threw ? "an exception" : to_text(golden.expected))
                     << "\n  Elapid: " << describe(result));
    if (known.contains(golden.name)) {
      INFO("agrees: to be removed from known-differences.txt");
      CHECK_FALSE(agrees(golden, result));
    } else {
      CHECK(agrees(golden, result));
    }
  }
}

/// By default all evidence survives certification.
void check_by_default(const fs::path& folder) {
  for (const GoldenCase& golden : cases_in(folder)) {
    const Result<Verdict> result = check_case(golden, false);
    INFO(golden.name << ": " << describe(result));
    CHECK((result.ok() || result.error().kind != ErrorKind::kInternal));
  }
}

TEST_CASE("golden: a sample as Elle answers, and by default") {
  for (const char* workload : {"list-append", "rw-register"}) {
    REQUIRE(fs::is_directory(kSample / workload));
    compare_with_elle(kSample / workload);
    check_by_default(kSample / workload);
  }
}

TEST_CASE("golden: list-append as Elle answers") {
  compare_with_elle(kAll / "list-append");
}

TEST_CASE("golden: rw-register as Elle answers") {
  compare_with_elle(kAll / "rw-register");
}

TEST_CASE("golden: rare cases as Elle answers") {
  compare_with_elle(kAll / "fresh-list-append");
  compare_with_elle(kAll / "fresh-rw-register");
}

TEST_CASE("golden: rows as Elle's closed-predicate answers, and by default") {
  compare_with_elle(kAll / "closed-predicate");
  check_by_default(kAll / "closed-predicate");
}

TEST_CASE("golden: list-append by default") {
  check_by_default(kAll / "list-append");
}

TEST_CASE("golden: rw-register by default") {
  check_by_default(kAll / "rw-register");
}

TEST_CASE("golden: rare cases by default") {
  check_by_default(kAll / "fresh-list-append");
  check_by_default(kAll / "fresh-rw-register");
}

}  // namespace
}  // namespace elapid
