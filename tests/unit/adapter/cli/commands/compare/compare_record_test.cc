#include "adapter/cli/commands/compare/compare_record.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

TEST_CASE("a recorded answer has the times that were measured, to the microsecond") {
  const TemporaryFolder folder;
  const std::string path = folder / "record";
  const Participant participant;
  const auto question = [&](int time) {
    return RecordedQuestion{"", "", "", std::to_string(time), &participant};
  };
  constexpr int kTimes = 2'000;
  {
    Result<CompareRecord> record = CompareRecord::open(path, "settings", "elapid 1");
    REQUIRE(record);
    for (int time = 0; time < kTimes; ++time) {
      REQUIRE(record.value().note(question(time),
                                  {.outcome = Outcome::kValid,
                                   .cpu_time = std::chrono::microseconds(time),
                                   .wall_time = std::chrono::microseconds(1'000'001 * time)}));
    }
  }
  const Result<CompareRecord> record = CompareRecord::open(path, "settings", "elapid 1");
  REQUIRE(record);
  for (int time = 0; time < kTimes; ++time) {
    const std::optional<CheckerAnswer> answer = record.value().find(question(time));
    REQUIRE(answer);
    CHECK(answer->cpu_time == std::chrono::microseconds(time));
    CHECK(answer->wall_time == std::chrono::microseconds(1'000'001 * time));
  }
}

TEST_CASE("an answer of an engine is that of one build, of a program that of the program") {
  const TemporaryFolder folder;
  const std::string path = folder / "record";
  const Participant engine;
  const Participant program = {.checker = {.name = "other"}, .program = "/nowhere/other"};
  const RecordedQuestion asked = {.path = "h", .stamp = "1", .participant = &engine};
  const RecordedQuestion told = {.path = "h", .stamp = "1", .participant = &program};
  {
    Result<CompareRecord> record = CompareRecord::open(path, "settings", "elapid 1");
    REQUIRE(record);
    CHECK(record.value().note(asked, {.outcome = Outcome::kValid}).ok());
    CHECK(record.value().note(told, {.outcome = Outcome::kValid}).ok());
  }
  const auto knows = [&](const std::string& settings, const std::string& version,
                         const RecordedQuestion& question) {
    Result<CompareRecord> record = CompareRecord::open(path, settings, version);
    REQUIRE(record);
    return record.value().find(question).has_value();
  };
  CHECK(knows("settings", "elapid 1", asked));
  CHECK_FALSE(knows("settings", "elapid 2", asked));
  CHECK(knows("settings", "elapid 2", told));
  CHECK_FALSE(knows("others", "elapid 1", asked));
  CHECK_FALSE(knows("settings", "elapid 1", {.path = "h", .stamp = "2", .participant = &engine}));
}

}  // namespace
}  // namespace elapid
