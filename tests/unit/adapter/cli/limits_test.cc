// What a check may spend: the defaults, and when it is spent.
#include "parsers/door/limits.h"

#include <catch2/catch.hpp>
#include <string>

#include "adapter/cli/options/check_request.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

using std::chrono::milliseconds;

std::optional<std::uint64_t> memory_beside(const std::string& control_group,
                                           std::optional<std::uint64_t> machine) {
  const TemporaryFolder folder;
  return default_memory(
      {.machine = machine, .control_group = folder.write("memory.max", control_group)});
}

TEST_CASE("limits: half of the machine's memory, or of the control group's") {
  CHECK(memory_beside("max\n", 1000) == 500U);
  CHECK(memory_beside("600\n", 1000) == 300U);
  CHECK(memory_beside("2000\n", 1000) == 500U);
  CHECK(memory_beside("600\n", std::nullopt) == std::nullopt);
  CHECK(default_memory({.machine = 1000, .control_group = "/no/such/file"}) == 500U);
  const auto machine = memory_sources().machine;
  REQUIRE(machine);
  CHECK(*default_memory() <= *machine / 2);
}

TEST_CASE("limits: without --timeout and --memory a check has the defaults, and says so") {
  const Result<CheckRequest> request = check_request({});
  REQUIRE(request);
  CHECK(request.value().job.limits.memory == default_memory());
  CHECK(request.value().job.limits.words.find("half of what there is") != std::string::npos);
  CheckFlags flags;
  flags.memory = "3M";
  const Result<CheckRequest> asked = check_request(flags);
  REQUIRE(asked);
  CHECK(asked.value().job.limits.memory == 3U * 1024 * 1024);
  CHECK(asked.value().job.limits.words == "the default --timeout 10m or --memory 3M");
  flags.timeout = "90s";
  CHECK(check_request(flags).value().job.limits.words == "--timeout 90s or --memory 3M");
}

TEST_CASE("limits: time and memory are spent when the meters say so") {
  std::chrono::steady_clock::time_point now;
  std::uint64_t memory = 100;
  const auto holds = watch({.time = milliseconds(50), .memory = 100},
                           {.now = [&] { return now; }, .memory = [&] { return memory; }});
  CHECK(holds());
  memory = 101;
  now += milliseconds(1);
  CHECK_FALSE(holds());
  memory = 100;
  now += milliseconds(1);
  CHECK(holds());
  now += milliseconds(47);
  CHECK(holds());
  now += milliseconds(1);
  CHECK_FALSE(holds());
}

}  // namespace
}  // namespace elapid
