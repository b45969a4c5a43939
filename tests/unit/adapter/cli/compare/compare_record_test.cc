#include "adapter/cli/compare/compare_record.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/unit/parsers/temporary_folder.h"

namespace elapid {
namespace {

TEST_CASE("a recorded answer has the times that were measured, to the microsecond") {
  const TemporaryFolder folder;
  const std::string path = folder / "record";
  const Participant participant;
  const auto question = [&](int time) {
    return RecordedQuestion{"", "", std::to_string(time), &participant};
  };
  constexpr int kTimes = 2'000;
  {
    Result<CompareRecord> record = CompareRecord::open(path, "settings");
    REQUIRE(record);
    for (int time = 0; time < kTimes; ++time) {
      REQUIRE(record.value().note(question(time),
                                  {.outcome = Outcome::kValid,
                                   .cpu_time = std::chrono::microseconds(time),
                                   .wall_time = std::chrono::microseconds(1'000'001 * time)}));
    }
  }
  const Result<CompareRecord> record = CompareRecord::open(path, "settings");
  REQUIRE(record);
  for (int time = 0; time < kTimes; ++time) {
    const std::optional<CheckerAnswer> answer = record.value().find(question(time));
    REQUIRE(answer);
    CHECK(answer->cpu_time == std::chrono::microseconds(time));
    CHECK(answer->wall_time == std::chrono::microseconds(1'000'001 * time));
  }
}

}  // namespace
}  // namespace elapid
