#include "adapter/cli/reports/ci/sarif.h"

#include <rapidjson/document.h>
#include <catch2/catch.hpp>
#include <string>

namespace elapid {
namespace {

rapidjson::Document parsed(const std::string& text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(text.c_str());
  REQUIRE_FALSE(document.HasParseError());
  return document;
}

std::string text_of(const rapidjson::Value& value) {
  return value.GetString();
}

CiHistory invalid(std::string path, std::size_t steps) {
  CiFinding finding{.rule = "G0", .gloss = "dirty writes", .text = "because\n", .count = 3};
  for (std::size_t i = 0; i < steps; ++i) {
    finding.steps.push_back({{.file = path, .line = i + 1}, "step"});
  }
  return {.path = path,
          .validity = Validity::kInvalid,
          .levels = "read-uncommitted, serializable",
          .violated = "read-uncommitted",
          .place = {.file = path},
          .findings = {finding}};
}

/// What the specification requires of each place (sections 3.29, 3.30).
void check_place(const rapidjson::Value& location) {
  const rapidjson::Value& place = location["physicalLocation"];
  const std::string uri = place["artifactLocation"]["uri"].GetString();
  CHECK(uri.find_first_of(" %<>\"\\^`{|}") == uri.find('%'));
  if (place.HasMember("region")) {
    CHECK(place["region"]["startLine"].GetInt64() >= 1);
  }
}

TEST_CASE("sarif: a result for a finding, with its lines and steps") {
  const rapidjson::Document document =
      parsed(to_sarif(std::vector{invalid("my runs/a.edn", 3)}, "1.2.3"));
  CHECK(text_of(document["version"]) == "2.1.0");
  const rapidjson::Value& run = document["runs"][0];
  const rapidjson::Value& driver = run["tool"]["driver"];
  CHECK(text_of(driver["semanticVersion"]) == "1.2.3");
  CHECK(text_of(driver["rules"][0]["id"]) == "G0");
  CHECK(text_of(driver["rules"][0]["shortDescription"]["text"]) == "dirty writes");
  REQUIRE(run["results"].Size() == 1);
  const rapidjson::Value& result = run["results"][0];
  CHECK(text_of(result["ruleId"]) == "G0");
  CHECK(result["ruleIndex"].GetInt() == 0);
  CHECK(text_of(result["level"]) == "error");
  CHECK(result["occurrenceCount"].GetInt() == 3);
  CHECK(text_of(result["message"]["text"]) == "my runs/a.edn: not read-uncommitted\nbecause\n");
  REQUIRE(result["locations"].Size() == 1);
  check_place(result["locations"][0]);
  CHECK(text_of(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) ==
        "my%20runs/a.edn");
  const rapidjson::Value& flow = result["codeFlows"][0]["threadFlows"][0]["locations"];
  REQUIRE(flow.Size() == 3);
  CHECK(flow[2]["location"]["physicalLocation"]["region"]["startLine"].GetInt() == 3);
  CHECK(run["invocations"][0]["executionSuccessful"].GetBool() == true);
  CHECK(run["invocations"][0]["toolExecutionNotifications"].Empty());
}

TEST_CASE("sarif: a path from the root is a file's URI") {
  const rapidjson::Document document = parsed(to_sarif(std::vector{invalid("/a b/c.edn", 1)}, "1"));
  CHECK(text_of(document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
                        ["artifactLocation"]["uri"]) == "file:///a%20b/c.edn");
}

TEST_CASE("sarif: a vacuous history is an error, and so is an invalid one without an anomaly") {
  const std::vector<CiHistory> histories = {
      {.path = "a.edn", .validity = Validity::kValid, .vacuity = "no key has several writers"},
      {.path = "b.edn", .validity = Validity::kInvalid, .violated = "serializable"}};
  const rapidjson::Document document = parsed(to_sarif(histories, "1"));
  const rapidjson::Value& results = document["runs"][0]["results"];
  REQUIRE(results.Size() == 2);
  CHECK(text_of(results[0]["ruleId"]) == "vacuous");
  CHECK(text_of(results[0]["level"]) == "error");
  CHECK(text_of(results[0]["message"]["text"]) == "a.edn: vacuous: no key has several writers");
  CHECK(text_of(results[1]["ruleId"]) == "invalid");
  CHECK(text_of(results[1]["message"]["text"]) == "b.edn: not serializable");
}

TEST_CASE("sarif: no level is denied if none is violated, and the place is the input's") {
  CiHistory scarce = invalid("a.edn", 0);
  scarce.path = "a.edn [key 1]";
  scarce.violated = "";
  const rapidjson::Document document = parsed(to_sarif(std::vector{scarce}, "1"));
  const rapidjson::Value& result = document["runs"][0]["results"][0];
  CHECK(text_of(result["message"]["text"]) == "a.edn [key 1]: because\n");
  CHECK(text_of(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) == "a.edn");
}

TEST_CASE("sarif: unknown is a note, what was not checked is no result") {
  const std::vector<CiHistory> histories = {
      {.path = "a.edn",
       .validity = Validity::kUnknown,
       .message = "out of time",
       .place = {.file = "a.edn"}},
      {.path = "b.edn", .message = "b.edn:1:1: expected a map", .place = {.file = "b.edn"}},
      {.path = "c.edn", .validity = Validity::kValid}};
  const rapidjson::Document document = parsed(to_sarif(histories, "1"));
  const rapidjson::Value& run = document["runs"][0];
  REQUIRE(run["results"].Size() == 1);
  CHECK(text_of(run["results"][0]["level"]) == "note");
  CHECK(text_of(run["results"][0]["message"]["text"]) == "a.edn: unknown: out of time");
  check_place(run["results"][0]["locations"][0]);
  const rapidjson::Value& invocation = run["invocations"][0];
  CHECK(invocation["executionSuccessful"].GetBool() == false);
  CHECK(text_of(invocation["toolExecutionNotifications"][0]["message"]["text"]) ==
        "b.edn:1:1: expected a map");
}

TEST_CASE("sarif: no more than consumers bear, and what is left out is said") {
  const std::string text = to_sarif(std::vector{invalid("a.edn", kMostFlowSteps + 7)}, "1");
  const rapidjson::Document document = parsed(text);
  const rapidjson::Value& run = document["runs"][0];
  const rapidjson::Value& result = run["results"][0];
  CHECK(result["codeFlows"][0]["threadFlows"][0]["locations"].Size() == kMostFlowSteps);
  CHECK(result["relatedLocations"].Size() == kMostLocations);
  CHECK(text_of(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]) ==
        "7 steps of code flows are left out");

  const std::vector<CiHistory> many(kMostResults + 2, invalid("a.edn", 1));
  const rapidjson::Document large = parsed(to_sarif(many, "1"));
  CHECK(large["runs"][0]["results"].Size() == kMostResults);
  CHECK(
      text_of(
          large["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]) ==
      "2 more results are left out");
}

TEST_CASE("sarif: hostile names and texts are text") {
  CiHistory hostile = invalid("\"},{<script>\x01\xff.edn", 1);
  hostile.findings.front().text = "\u202e\"\\\x7f\xc3";
  const rapidjson::Document document = parsed(to_sarif(std::vector{hostile}, "1"));
  const rapidjson::Value& result = document["runs"][0]["results"][0];
  check_place(result["locations"][0]);
  CHECK(std::string(result["message"]["text"].GetString()).ends_with("\xef\xbf\xbd"));
}

}  // namespace
}  // namespace elapid
