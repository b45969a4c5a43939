// The table of workloads.
#include "engine/workloads/table.h"

#include <catch2/catch.hpp>
#include <set>

namespace elapid {
namespace {

TEST_CASE("workloads: names are unique, and find their rows") {
  std::set<std::string_view> names;
  for (const WorkloadRow& row : workload_rows()) {
    INFO(row.workload.name());
    CHECK(names.insert(row.workload.name()).second);
    CHECK(find_workload(row.workload.name()) == row.workload);
    CHECK(&row_of(row.workload) == &row);
  }
  CHECK(find_workload("comments") == find_workload("causal-reverse"));
  CHECK_FALSE(find_workload("edn"));
}

TEST_CASE("workloads: a row recognises its histories, and can do what its type says") {
  for (const WorkloadRow& row : workload_rows()) {
    INFO(row.workload.name());
    CHECK(row.recognise != nullptr);
    const bool has_orders_alone = row.workload == Workload::kRows;
    CHECK((row.infer != nullptr || !row.workload.has_levels() || has_orders_alone));
    CHECK((row.decode != nullptr || row.workload.has_transactions()));
    CHECK_FALSE((row.workload.has_levels() && row.judge != nullptr));
  }
}

TEST_CASE("elements of a value in canonical EDN") {
  using Elements = std::vector<std::string_view>;
  CHECK(elements_of("[]") == Elements{});
  CHECK(elements_of("[1 2]") == Elements{"1", "2"});
  CHECK(elements_of("#{1 [2 3] {4 5}}") == Elements{"1", "[2 3]", "{4 5}"});
  CHECK(elements_of("(\"a ) b\" \\) \"\\\"\")") == Elements{"\"a ) b\"", "\\)", "\"\\\"\""});
  CHECK(elements_of("[#inst \"2020\" #a #b [1] #{}]") ==
        Elements{"#inst \"2020\"", "#a #b [1]", "#{}"});
  CHECK(elements_of("[##NaN 1 ##Inf]") == Elements{"##NaN", "1", "##Inf"});
  CHECK_FALSE(elements_of("12"));
  CHECK_FALSE(elements_of("\"[1]\""));
  CHECK_FALSE(elements_of("#"));
}

}  // namespace
}  // namespace elapid
