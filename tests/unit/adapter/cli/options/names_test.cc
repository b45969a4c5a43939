#include "adapter/cli/options/names.h"

#include <catch2/catch.hpp>

#include "parsers/formats.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

bool has(const ModelSet& models, Model model) {
  return models.test(model);
}

TEST_CASE("lists are split at commas") {
  CHECK(split_list("a,b , c") == std::vector<std::string_view>{"a", "b", "c"});
  CHECK(split_list("none").empty());
  CHECK(split_list("").empty());
  CHECK(split_list("a,,b") == std::vector<std::string_view>{"a", "", "b"});
}

TEST_CASE("levels go by any of their names") {
  const Result<ModelSet> models =
      parse_models("strict-serializable,:PL-2,snapshot-isolation", false);
  REQUIRE(models);
  CHECK(models.value().count() == 3);
  CHECK(has(models.value(), Model::kPlSs));
  CHECK(has(models.value(), Model::kPl2));
  CHECK(has(models.value(), Model::kPlSi));
  CHECK(parse_models("none", false).value().none());
}

TEST_CASE("a list without levels is an error, as an unset variable of a shell gives it") {
  CHECK_FALSE(parse_models("", false));
  CHECK_FALSE(parse_models(kEmptyList, false));
  CHECK_FALSE(parse_models("serializable,", false));
}

TEST_CASE("elle-cli's lists may be empty, and end in empty names") {
  CHECK(parse_models("", true).value().none());
  CHECK(parse_models(kEmptyList, true).value().none());
  CHECK(parse_models("serializable,,", true).value().count() == 1);
  CHECK_FALSE(parse_models(",serializable", true));
}

TEST_CASE("all demands every level, or every one that Elle knows") {
  CHECK(parse_models("all", false).value() == ModelSet::all());
  CHECK(parse_models("all", true).value() == models_of_elle());
}

TEST_CASE("an unknown level is a usage error that names its neighbours") {
  const Result<ModelSet> models = parse_models("serialisable", false);
  REQUIRE_FALSE(models);
  CHECK(models.error().kind == ErrorKind::kUsage);
  CHECK_THAT(models.error().message, Contains("serialisable"));
  CHECK_THAT(models.error().message, Contains("did you mean") && Contains("serializable"));
}

TEST_CASE("a level that Elle does not know is refused under compatibility with it") {
  const Result<ModelSet> refused = parse_models("rc", true);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::kUsage);
  CHECK(parse_models("rc", false));
  CHECK_FALSE(parse_models("si", true));
  CHECK_FALSE(parse_models(":ser", true));
  CHECK(parse_models("linearizable", true));
}

TEST_CASE("anomalies go by Elle's names") {
  const Result<AnomalySet> anomalies = parse_anomalies("G0,:G-single");
  REQUIRE(anomalies);
  CHECK(anomalies.value().count() == 2);
  const Result<AnomalySet> unknown = parse_anomalies("G-singel");
  REQUIRE_FALSE(unknown);
  CHECK_THAT(unknown.error().message, Contains("G-single"));
}

TEST_CASE("workloads, formats and engines that are unknown are told apart from known ones") {
  CHECK(parse_workload("list-append").value() == Workload::kListAppend);
  CHECK(parse_workload("rw-register").value() == Workload::kRwRegister);
  CHECK_THAT(parse_workload("etcd-watch").error().message,
             Contains("unknown workload 'etcd-watch'; there is add-remove-set, "));
  CHECK(parse_workload("closed-predicate").value() == Workload::kRows);
  CHECK_THAT(parse_workload("lst-append").error().message, Contains("unknown workload"));
  CHECK(parse_format("jsonl").value() == find_format("jsonl"));
  CHECK(parse_format("cobra:universal").value() == find_format("cobra:universal"));
  CHECK_THAT(parse_format("cobra:odd").error().message,
             Contains("unknown dialect 'odd' of cobra; there is plain, universal, timestamps"));
  CHECK_THAT(parse_format("cobr").error().message, Contains("unknown format 'cobr'"));
  CHECK(parse_engine("auto").value() == Engine::kAuto);
  CHECK(parse_engine("solver").value() == Engine::kSolver);
  CHECK(parse_engine("search").value() == Engine::kSearch);
  CHECK(parse_engine("timestamps").value() == Engine::kTimestamps);
  CHECK(parse_engine("magic").error().kind == ErrorKind::kUsage);
}

}  // namespace
}  // namespace elapid
