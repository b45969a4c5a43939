#include "harness/story/scenario_script.h"

#include <catch2/catch.hpp>
#include <string>

#include "engine/check/check.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

Result<std::string> scenario_of(const History& history, Model model) {
  const Result<Verdict> verdict = check(history, {.models = {model}});
  REQUIRE(verdict.ok());
  return scenario_script(history, tell_story(history, verdict.value(), {}), {model});
}

TEST_CASE("A story as a scenario: its steps in their order, without what they found") {
  const Result<std::string> skew =
      scenario_of(register_history("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1"), Model::kPl3);
  REQUIRE(skew.ok());
  CHECK(skew.value() ==
        "about  G2-item: reads that miss one another's writes (write skew)\n"
        "\n"
        "session-0: [:r :x]             ; found nil\n"
        "session-1: [:r :y]             ; found nil\n"
        "session-1: [:w :x 1]\n"
        "session-1: commit\n"
        "session-0: [:w :y 1]\n"
        "session-0: commit\n"
        "\n"
        "expect not serializable\n");
}

TEST_CASE("A story with lists, and one transaction that is undone") {
  const Result<std::string> lost =
      scenario_of(list_history("0> rx ax1; 1> rx ax2; 0+ rx ax1; 1+ rx ax2; 2 rx12"), Model::kPlSi);
  REQUIRE(lost.ok());
  CHECK(lost.value().find("session-1: [:append :x 2]\n") != std::string::npos);
  CHECK(lost.value().find("session-2: [:r :x]             ; found [1 2]\n") != std::string::npos);
  CHECK(lost.value().ends_with("expect not snapshot-isolation\n"));
  const Result<std::string> dirty = scenario_of(list_history("0> ax1; 1 rx1; 0- ax1"), Model::kPl2);
  REQUIRE(dirty.ok());
  CHECK(dirty.value().find("session-0: rollback\n") != std::string::npos);
}

TEST_CASE("What no scenario says is refused") {
  const auto refusal = [](const History& history) {
    const Result<std::string> script = scenario_of(history, Model::kPlSs);
    REQUIRE_FALSE(script.ok());
    CHECK(script.error().kind == ErrorKind::kUsage);
    return script.error().message;
  };
  CHECK(refusal(register_history("0 wx1; 1 rx_")).starts_with("no two of its transactions"));
  CHECK(refusal(register_history("0> wx1; 1> wx1; 0+ wx1; 1+ wx1; 2 rx_")) ==
        "a scenario gives each value to a key once");
}

}  // namespace
}  // namespace elapid
