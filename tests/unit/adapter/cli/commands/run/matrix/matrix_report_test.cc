#include "adapter/cli/commands/run/matrix/matrix_report.h"

#include <catch2/catch.hpp>

#include "adapter/cli/commands/run/matrix/run_json.h"

namespace elapid {
namespace {

MatrixRun run_at(std::string level, Model model, Validity snapshot, Validity serializable) {
  return {.database = "PostgreSQL 15.20",
          .address = "postgres:",
          .promised = {std::move(level), model},
          .workload = "mini",
          .folder = "postgres-mini/20261123T064000.000Z",
          .standings = {{.model = Model::kPl2, .validity = Validity::kValid},
                        {.model = Model::kPlSi, .validity = snapshot},
                        {.model = Model::kPl3, .validity = serializable}},
          .anomalies = {{"G2-item", 12}, {"lost-update", 1'234}},
          .is_counted = true,
          .transactions = 12'000,
          .committed = 10'000,
          .aborted = 1'998,
          .indeterminate = 2,
          .seconds = 3};
}

MatrixReport small_report() {
  MatrixRun failed = {.address = "redis:",
                      .promised = {"serializable", Model::kPl3},
                      .workload = "<b>mini</b>",
                      .problem = "no \x1b[31mserver"};
  return {
      .time = "20261123T064000.000Z",
      .command = "elapid run --matrix --seed 7",
      .seed = 7,
      .runs = {run_at("snapshot-isolation", Model::kPlSi, Validity::kValid, Validity::kInvalid),
               run_at("serializable", Model::kPl3, Validity::kValid, Validity::kInvalid), failed}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("matrix: as text, each row says what held and what broke") {
  CHECK(matrix_text(small_report()) ==
        R"(database                     asked for           promise  holds               broken
PostgreSQL 15.20  postgres:  snapshot-isolation  kept     snapshot-isolation  serializable
PostgreSQL 15.20  postgres:  serializable        broken   snapshot-isolation  serializable
redis:                       serializable        unknown  -                   -

database          asked for           workload     txn/s  aborted  unknown           per 1,000 (95 %)  anomalies
PostgreSQL 15.20  snapshot-isolation  mini         4,000    16.6%     0.0%  124.60 (117.78 to 131.72)  G2-item 12, lost-update 1,234
PostgreSQL 15.20  serializable        mini         4,000    16.6%     0.0%  124.60 (117.78 to 131.72)  G2-item 12, lost-update 1,234
redis:            serializable        <b>mini</b>      -        -        -                          -  no verdict: no \u001b[31mserver

seed 7
elapid run --matrix --seed 7
)");
}

TEST_CASE("matrix: in Markdown, workloads are columns") {
  MatrixReport report = small_report();
  report.runs[2].workload = "a|b";
  CHECK(matrix_markdown(report) == R"(| database | asked for | promise | holds | broken |
| --- | --- | --- | --- | --- |
| PostgreSQL 15.20 | snapshot-isolation | kept | snapshot-isolation | serializable |
| PostgreSQL 15.20 | serializable | broken | snapshot-isolation | serializable |
| redis: | serializable | unknown | - | - |

Anomalies in 1,000 transactions (95 %):

| database | asked for | mini | a\|b |
| --- | --- | --- | --- |
| PostgreSQL 15.20 | snapshot-isolation | 124.60 (117.78 to 131.72) |  |
| PostgreSQL 15.20 | serializable | 124.60 (117.78 to 131.72) |  |
| redis: | serializable |  | no verdict |

Transactions a second, and how many the database aborted:

| database | asked for | mini | a\|b |
| --- | --- | --- | --- |
| PostgreSQL 15.20 | snapshot-isolation | 4,000, 16.6 % |  |
| PostgreSQL 15.20 | serializable | 4,000, 16.6 % |  |
| redis: | serializable |  | - |

No verdict on redis: at serializable, a\|b: no \u001b[31mserver.

`elapid run --matrix --seed 7`
)");
}

TEST_CASE("matrix: as JSON, with limits of the rates and every level") {
  const std::string json = matrix_json(small_report());
  CHECK(contains(json, R"("kind": "elapid-matrix/1")"));
  CHECK(contains(json, R"("promises": "broken")"));
  CHECK(contains(json, R"("per-thousand-95": [117.)"));
  CHECK(contains(json, R"("levels": {"read-committed": "valid", "snapshot-isolation": "valid")"));
  CHECK(contains(json, R"("lost-update": 1234)"));
  CHECK(contains(json, R"("problem": "no \u001b[31mserver")"));
}

TEST_CASE("matrix: there is no rate where the check did not end") {
  MatrixRun run = run_at("serializable", Model::kPl3, Validity::kUnknown, Validity::kUnknown);
  run.anomalies.clear();
  MatrixRun told;
  REQUIRE(take_run(run_json(run), told).ok());
  CHECK(rate_text(told) == "0.00 (0.00 to 0.37)");
  run.is_counted = false;
  REQUIRE(take_run(run_json(run), told).ok());
  CHECK(rate_text(told) == "-");
  CHECK_FALSE(contains(run_json(run), "per-thousand"));
}

TEST_CASE("matrix: as a page, where names of databases and workloads are text") {
  const std::string page = matrix_page(small_report());
  CHECK(contains(page, "1 of 3 promises kept, 1 broken"));
  CHECK(contains(page, "&lt;b&gt;mini&lt;/b&gt;"));
  CHECK_FALSE(contains(page, "<b>mini"));
  CHECK_FALSE(contains(page, "<script"));
  CHECK_FALSE(contains(page, "http://www.w3.org/1999"));
  CHECK(page.size() < 100'000);
}

}  // namespace
}  // namespace elapid
