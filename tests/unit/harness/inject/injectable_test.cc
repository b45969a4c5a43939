#include "harness/inject/injectable.h"

#include <catch2/catch.hpp>
#include <string>

namespace elapid {
namespace {

std::string refusal(std::string_view text, Workload workload = Workload::kListAppend) {
  const Result<std::vector<Injectable>> parsed = parse_injections(text, workload);
  REQUIRE_FALSE(parsed.ok());
  CHECK(parsed.error().kind == ErrorKind::kUsage);
  return parsed.error().message;
}

TEST_CASE("injections: names with counts") {
  const auto parsed =
      parse_injections("G1a:2, :G-single-realtime,noconflict:10", Workload::kListAppend).value();
  REQUIRE(parsed.size() == 3);
  CHECK(parsed[0].name == "G1a");
  CHECK(parsed[0].count == 2);
  CHECK(parsed[1].name == "G-single-item-realtime");
  CHECK(parsed[1].count == 1);
  CHECK(parsed[2].name == "noconflict");
  CHECK(parsed[2].count == 10);
  CHECK(parsed[2].timestamps.size() == 2);
}

TEST_CASE("injections: what lies between levels") {
  const auto parsed = parse_injections("cause-unseen", Workload::kRwRegister).value();
  CHECK(parsed.front().types.none());
  CHECK(parsed.front().history.events.size() == 6);
}

TEST_CASE("injections: what is no name, no count, or nothing to show") {
  CHECK(refusal("lost-updates").starts_with("there is no anomaly lost-updates; these can be"));
  CHECK(refusal("G1a:0") == "expected how often to inject G1a, found '0'");
  CHECK(refusal("G1a:x") == "expected how often to inject G1a, found 'x'");
  CHECK(refusal("G0", Workload::kRwRegister) ==
        "G0 cannot be injected into rw-register: no history of it is known to show that alone");
  CHECK(refusal("").starts_with("there is no anomaly ;"));
  CHECK(refusal("G1a,").starts_with("there is no anomaly ;"));
}

TEST_CASE("injectable: transactions ask for the lowest levels at which they are wrong") {
  const std::vector<Model> levels = {Model::kPl2, Model::kPrefix, Model::kPlSi, Model::kPl3};
  const auto asked = [&](std::string_view name) {
    Injectable one = parse_injections(name, Workload::kRwRegister).value().front();
    std::string words = ask_for_levels(levels, one) ? "" : "none";
    for (const PlainField& field : one.levels) {
      words += (words.empty() ? "" : " ") + field.value.word;
    }
    return words;
  };
  CHECK(asked("lost-update").find("snapshot-isolation") != std::string::npos);
  CHECK(asked("G2-item").find("serializable") != std::string::npos);
  CHECK(asked("G1a").find("serializable") == std::string::npos);
  CHECK(asked("G-single-item-realtime").find("strong-serializable") != std::string::npos);
  CHECK(asked("noconflict") == "none");
}

}  // namespace
}  // namespace elapid
