#include "harness/matrix/matrix.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

MatrixRun run_of(std::string promised, Model model, std::vector<Standing> standings) {
  return {.database = "Toy 1",
          .address = "toy:",
          .promised = {std::move(promised), model},
          .workload = "mini",
          .standings = std::move(standings)};
}

Standing stands(Model model, Validity validity) {
  return {.model = model, .validity = validity};
}

MatrixRun at_snapshot(Validity committed, Validity snapshot) {
  return run_of("snapshot-isolation", Model::kPlSi,
                {stands(Model::kPl2, committed), stands(Model::kPlSi, snapshot)});
}

constexpr Validity kKept = Validity::kValid;
constexpr Validity kBroken = Validity::kInvalid;
constexpr Validity kOpen = Validity::kUnknown;

TEST_CASE("matrix: one violation breaks a level, whatever other runs say") {
  const std::vector<MatrixRun> runs = {at_snapshot(kKept, kKept), at_snapshot(kKept, kBroken),
                                       at_snapshot(kKept, kOpen), at_snapshot(kKept, kKept)};
  const std::vector<MatrixRow> rows = rows_of(runs);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].runs == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(rows[0].promise == kBroken);
  CHECK(rows[0].holds == ModelSet{Model::kPl2});
  CHECK(rows[0].broken == ModelSet{Model::kPlSi});
  CHECK(promises_of(rows) == kBroken);
}

TEST_CASE("matrix: levels by transaction were given in all runs, or not in one") {
  const auto promise = [](std::vector<Validity> seen, bool has_problem) {
    std::vector<MatrixRun> runs;
    for (const Validity own : seen) {
      runs.push_back(run_of("serializable+read-committed", Model::kPl3, {}));
      runs.back().promised.model.reset();
      runs.back().own_levels = own;
    }
    runs.back().problem = has_problem ? "it stopped" : "";
    return rows_of(runs).front().promise;
  };
  CHECK(promise({kKept, kKept}, false) == kKept);
  CHECK(promise({kKept, kBroken, kKept, kOpen}, false) == kBroken);
  CHECK(promise({kOpen, kKept}, false) == kOpen);
  CHECK(promise({kKept, kKept}, true) == kOpen);
}

TEST_CASE("matrix: what one run leaves open is open") {
  const std::vector<MatrixRow> rows =
      rows_of(std::vector{at_snapshot(kKept, kKept), at_snapshot(kKept, kOpen)});
  CHECK(rows[0].promise == kOpen);
  CHECK(rows[0].holds == ModelSet{Model::kPl2});
  CHECK(promises_of(rows) == kOpen);
}

TEST_CASE("matrix: a run weakens no level of which it says nothing") {
  MatrixRun searches = at_snapshot(kKept, kKept);
  searches.standings = {stands(Model::kPlSi, kKept), stands(Model::kPl3, kBroken)};
  for (const bool comes_first : {true, false}) {
    std::vector<MatrixRun> runs = {at_snapshot(kKept, kKept)};
    runs.insert(comes_first ? runs.begin() : runs.end(), searches);
    const std::vector<MatrixRow> rows = rows_of(runs);
    CHECK(rows[0].promise == kKept);
    CHECK(rows[0].holds == ModelSet{Model::kPlSi});
    CHECK(rows[0].broken == ModelSet{Model::kPl3});
  }
}

TEST_CASE("matrix: a run without a verdict leaves open what no other breaks") {
  MatrixRun failed = at_snapshot(kOpen, kOpen);
  failed.database.clear();
  failed.problem = "the database is not reachable";
  failed.standings.clear();
  for (const bool comes_first : {true, false}) {
    std::vector<MatrixRun> runs = {at_snapshot(kKept, kBroken)};
    runs.insert(comes_first ? runs.begin() : runs.end(), failed);
    const std::vector<MatrixRow> rows = rows_of(runs);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].database == "Toy 1");
    CHECK(rows[0].promise == kBroken);
    CHECK(rows[0].holds.none());
  }
  const std::vector<MatrixRow> alone = rows_of(std::vector{failed});
  CHECK(alone[0].promise == kOpen);
  CHECK(alone[0].standings.empty());
}

TEST_CASE("matrix: levels and addresses have rows of their own") {
  MatrixRun elsewhere = at_snapshot(kKept, kKept);
  elsewhere.address = "toy:?mode=other";
  const std::vector<MatrixRun> runs = {
      at_snapshot(kKept, kKept),
      run_of("read-committed", Model::kPl2, {stands(Model::kPl2, kKept)}), elsewhere};
  const std::vector<MatrixRow> rows = rows_of(runs);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].promised.name == "read-committed");
  CHECK(promises_of(rows) == kKept);
}

}  // namespace
}  // namespace elapid
