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

constexpr Validity kPromiseKept = Validity::kValid;
constexpr Validity kPromiseBroken = Validity::kInvalid;
constexpr Validity kOpen = Validity::kUnknown;

TEST_CASE("matrix: one violation breaks a level, whatever other runs say") {
  const std::vector<MatrixRun> runs = {
      at_snapshot(kPromiseKept, kPromiseKept), at_snapshot(kPromiseKept, kPromiseBroken),
      at_snapshot(kPromiseKept, kOpen), at_snapshot(kPromiseKept, kPromiseKept)};
  const std::vector<MatrixRow> rows = rows_of(runs);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].runs == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(rows[0].promise == kPromiseBroken);
  CHECK(rows[0].holds == ModelSet{Model::kPl2});
  CHECK(rows[0].broken == ModelSet{Model::kPlSi});
  CHECK(promises_of(rows) == kPromiseBroken);
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
  CHECK(promise({kPromiseKept, kPromiseKept}, false) == kPromiseKept);
  CHECK(promise({kPromiseKept, kPromiseBroken, kPromiseKept, kOpen}, false) == kPromiseBroken);
  CHECK(promise({kOpen, kPromiseKept}, false) == kOpen);
  CHECK(promise({kPromiseKept, kPromiseKept}, true) == kOpen);
}

TEST_CASE("matrix: what one run leaves open is open") {
  const std::vector<MatrixRow> rows = rows_of(
      std::vector{at_snapshot(kPromiseKept, kPromiseKept), at_snapshot(kPromiseKept, kOpen)});
  CHECK(rows[0].promise == kOpen);
  CHECK(rows[0].holds == ModelSet{Model::kPl2});
  CHECK(promises_of(rows) == kOpen);
}

TEST_CASE("matrix: a run weakens no level of which it says nothing") {
  MatrixRun searches = at_snapshot(kPromiseKept, kPromiseKept);
  searches.standings = {stands(Model::kPlSi, kPromiseKept), stands(Model::kPl3, kPromiseBroken)};
  for (const bool comes_first : {true, false}) {
    std::vector<MatrixRun> runs = {at_snapshot(kPromiseKept, kPromiseKept)};
    runs.insert(comes_first ? runs.begin() : runs.end(), searches);
    const std::vector<MatrixRow> rows = rows_of(runs);
    CHECK(rows[0].promise == kPromiseKept);
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
    std::vector<MatrixRun> runs = {at_snapshot(kPromiseKept, kPromiseBroken)};
    runs.insert(comes_first ? runs.begin() : runs.end(), failed);
    const std::vector<MatrixRow> rows = rows_of(runs);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].database == "Toy 1");
    CHECK(rows[0].promise == kPromiseBroken);
    CHECK(rows[0].holds.none());
  }
  const std::vector<MatrixRow> alone = rows_of(std::vector{failed});
  CHECK(alone[0].promise == kOpen);
  CHECK(alone[0].standings.empty());
}

TEST_CASE("matrix: levels and addresses have rows of their own") {
  MatrixRun elsewhere = at_snapshot(kPromiseKept, kPromiseKept);
  elsewhere.address = "toy:?mode=other";
  const std::vector<MatrixRun> runs = {
      at_snapshot(kPromiseKept, kPromiseKept),
      run_of("read-committed", Model::kPl2, {stands(Model::kPl2, kPromiseKept)}), elsewhere};
  const std::vector<MatrixRow> rows = rows_of(runs);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].promised.name == "read-committed");
  CHECK(promises_of(rows) == kPromiseKept);
}

}  // namespace
}  // namespace elapid
