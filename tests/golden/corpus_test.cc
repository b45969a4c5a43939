// The solver on real histories whose verdicts other checkers or their authors established.
#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/certify/orders/witness.h"
#include "engine/certify/proofs/refutation.h"
#include "engine/solve/solve.h"
#include "parsers/read.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr std::size_t kMostOperations = 1'000'000'000;
#else
constexpr std::size_t kMostOperations = 10'000;
#endif

/// A row of cases.tsv.
struct CorpusCase {
  std::string path;
  std::string model;
  std::string expected;
};

/// Those of registers at a model that this engine alone decides; other engines' cases say so in
/// their arguments. None, said aloud, where the shared folder is missing.
std::vector<CorpusCase> cases_of(const std::string& wanted_model) {
  const fs::path table = fs::path(ELAPID_SHARED) / "corpus" / "cases.tsv";
  std::ifstream in(table);
  if (!in) {
    std::cerr << "SKIPPED: there is no " << table << '\n';
    return {};
  }
  std::vector<CorpusCase> cases;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string path, format, workload, model, expected, arguments;
    for (std::string* field : {&path, &format, &workload, &model, &expected, &arguments}) {
      std::getline(fields, *field, '\t');
    }
    if (workload == "register" && model == wanted_model && arguments.empty()) {
      cases.push_back({path, model, expected});
    }
  }
  CHECK(cases.size() > 100);
  return cases;
}

std::string flaw_of(const SolveResult& result, const History& history, OrderLevel level) {
  if (result.witness) {
    return check_witness(history, level, *result.witness).value_or("");
  }
  if (result.refutation) {
    return check_refutation(history, level, *result.refutation).value_or("");
  }
  return result.anomalies.empty() ? "no evidence" : "";
}

void agree_on(const std::string& model) {
  const OrderLevel level = order_level(find_model(model).value()).value();
  for (const CorpusCase& one : cases_of(model)) {
    INFO(one.path << " is " << one.expected);
    const auto loaded = read_history((fs::path(ELAPID_SHARED) / "corpus" / one.path).string(), {});
    REQUIRE(loaded);
    const History& history = loaded.value().history();
    if (history.op_count() > kMostOperations) {
      std::cerr << "too large for this build: " << one.path << '\n';
      continue;
    }
    const SolveResult result = solve(history, {.level = level});
    INFO(result.unknown_because);
    CHECK(result.validity == (one.expected == "valid" ? Validity::kValid : Validity::kInvalid));
    CHECK(flaw_of(result, history, level).empty());
  }
}

TEST_CASE("corpus: strong-session-serializable as established") {
  agree_on("strong-session-serializable");
}

TEST_CASE("corpus: strong-session-snapshot-isolation as established") {
  agree_on("strong-session-snapshot-isolation");
}

}  // namespace
}  // namespace elapid
