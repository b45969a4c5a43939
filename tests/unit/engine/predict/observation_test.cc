#include "engine/predict/observation.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/sketch/tiny_history.h"

namespace elapid::predict {
namespace {

Result<Observation> observe_tiny(Workload workload, std::string_view text) {
  return observe(build(parse_tiny(workload, text)));
}

std::string refusal(Workload workload, std::string_view text) {
  const Result<Observation> observation = observe_tiny(workload, text);
  REQUIRE_FALSE(observation.ok());
  CHECK(observation.error().kind == ErrorKind::kUsage);
  return observation.error().message;
}

TEST_CASE("events are first reads and last writes, with the writers of reads") {
  const auto observed =
      observe_tiny(Workload::kRwRegister, "0+ rx_ wx1 rx1 wx2; 0+ rx2 ry_; 1+ wy5 rx2");
  REQUIRE(observed.ok());
  const Observation& observation = observed.value();
  REQUIRE(observation.txns.size() == 4);
  REQUIRE(observation.txns[1].events.size() == 2);
  CHECK(observation.txns[1].events[0].writer == kInitial);
  CHECK(observation.txns[1].events[1].is_write);
  CHECK(observation.txns[1].events[1].op == 3);
  CHECK(observation.txns[2].before == 1);
  CHECK(observation.txns[2].events[0].writer == 1);
  CHECK(observation.txns[3].before == kInitial);
  CHECK(observation.sessions.size() == 2);
}

TEST_CASE("the writer of a list that was read is that of its last element") {
  const auto observed = observe_tiny(Workload::kListAppend, "0+ ax1; 1+ ax2; 2+ rx12 ry");
  REQUIRE(observed.ok());
  CHECK(observed.value().txns[3].events[0].writer == 2);
  CHECK(observed.value().txns[3].events[1].writer == kInitial);
}

TEST_CASE("a list names the writers of all its elements but the reader's own") {
  const auto observed = observe_tiny(Workload::kListAppend, "0+ ax1 ax2; 1+ ax3; 2+ ax4 rx1234");
  REQUIRE(observed.ok());
  REQUIRE(observed.value().txns[3].events.size() == 2);
  CHECK(observed.value().txns[3].events[1].list == std::vector<std::uint32_t>{1, 2});
  const auto taken_in = observe_tiny(Workload::kListAppend, "0? ax1; 1+ ax2; 2+ rx12");
  REQUIRE(taken_in.ok());
  CHECK(taken_in.value().taken_in.size() == 1);
}

TEST_CASE("lists that no execution of whole transactions explains are refused") {
  for (const std::string_view text :
       {"0+ ax1 ax2; 1+ rx1", "0+ ax1 ax2; 1+ rx21", "0+ ax1 ax2; 1+ ax3; 2+ rx132"}) {
    CHECK(refusal(Workload::kListAppend, text).find("in a row") != std::string::npos);
  }
  CHECK(refusal(Workload::kListAppend, "0- ax1; 1+ ax2; 2+ rx12").find("no transaction wrote") !=
        std::string::npos);
  CHECK(refusal(Workload::kListAppend, "0+ ax1 rx12; 1+ ax2").find("its own write") !=
        std::string::npos);
}

TEST_CASE("aborted transactions stay out, and those of unknown fate unless they were read") {
  const auto observed = observe_tiny(Workload::kRwRegister, "0- wx1; 1? wx2; 2? wx3; 3+ rx3");
  REQUIRE(observed.ok());
  CHECK(observed.value().left_out.size() == 2);
  CHECK(observed.value().taken_in.size() == 1);
  CHECK(observed.value().txns.size() == 3);
}

TEST_CASE("what a transaction of unknown fate read counts if it took part, and takes in others") {
  const auto observed =
      observe_tiny(Workload::kRwRegister, "0? wx1; 1? rx1 rz_ wy2; 2+ ry2; 3? rx1 wv1");
  REQUIRE(observed.ok());
  CHECK(observed.value().taken_in.size() == 2);
  CHECK(observed.value().left_out.size() == 1);
  REQUIRE(observed.value().txns.size() == 4);
  REQUIRE(observed.value().txns[2].events.size() == 2);  // nil is no result
  CHECK(observed.value().txns[2].events[0].writer == 1);
}

TEST_CASE("reads that no execution of whole transactions explains are refused") {
  CHECK(refusal(Workload::kRwRegister, "0+ wx1; 1+ wx1; 2+ rx1").find("several writers") !=
        std::string::npos);
  CHECK(refusal(Workload::kRwRegister, "0- wx1; 2+ rx1").find("no transaction wrote") !=
        std::string::npos);
  CHECK(refusal(Workload::kRwRegister, "0+ wx1 wx2; 1+ rx1").find("not the last write") !=
        std::string::npos);
  CHECK(refusal(Workload::kRwRegister, "0+ wx1 rx2; 1+ wx2").find("its own write") !=
        std::string::npos);
  CHECK(refusal(Workload::kRwRegister, "0? wx1; 0+ wy1; 1+ rx1").find("unknown outcome") !=
        std::string::npos);
}

}  // namespace
}  // namespace elapid::predict
