// Anomalies as `elapid explain` tells them.
#include "adapter/cli/commands/explain/anomaly_example.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "engine/check/check.h"
#include "engine/evidence/gloss.h"
#include "engine/levels/ladder.h"

namespace elapid {
namespace {

TEST_CASE("explain: each anomaly has a meaning in sentences") {
  for (const AnomalyType type : AnomalySet::all()) {
    INFO(name(type));
    CHECK(meaning(type).ends_with("."));
  }
  CHECK(meaning(AnomalyType::kG0Process).find("session") != std::string::npos);
  CHECK(meaning(AnomalyType::kG0Realtime).find("real time") != std::string::npos);
  CHECK(meaning(AnomalyType::kPl3CycleExists).find("no single cycle") != std::string::npos);
}

TEST_CASE("explain: the example of an anomaly violates a level that forbids it") {
  std::size_t examples = 0;
  for (const AnomalyType type : AnomalySet::all()) {
    const auto example = example_of(type);
    if (!example) {
      continue;
    }
    INFO(name(type) << ": " << to_text(*example));
    ++examples;
    const auto verdict = check(build(*example), {.models = ModelSet::all(), .each_model = true});
    REQUIRE(verdict.ok());
    const ModelSet violated = models_that_are(Validity::kInvalid, verdict.value().ladder);
    CHECK(
        violated.filter([type](Model model) { return prohibited(ModelSet{model}, {}).test(type); })
            .any());
  }
  CHECK(examples > 25);
}

}  // namespace
}  // namespace elapid
