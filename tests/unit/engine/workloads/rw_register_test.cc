// Each anomaly of registers with the smallest history that has it.

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "engine/check/check.h"
#include "engine/workloads/known_workloads.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

std::string check_registers(std::string_view text, Model model = Model::kPl3,
                            Assumptions assumptions = {}) {
  return verdict_text(check(
      register_history(text),
      {.models = ModelSet{model}, .assumptions = std::move(assumptions), .engine = Engine::kElle}));
}

TEST_CASE("registers: what happens one after another is valid") {
  CHECK(check_registers("rx_ wx1; rx1 wx2; rx2; -wx3; rx2", Model::kPlSs) == "valid");
}

TEST_CASE("registers: internal") {
  CHECK(check_registers("wx1 rx2; wx2") == "invalid internal");
  CHECK(check_registers("rx_ rx1; wx1") == "invalid internal");
}

TEST_CASE("registers: G1a, G1b and garbage-read") {
  CHECK(check_registers("-wx1; rx1") == "invalid G1a");
  CHECK(check_registers("wx1 wx2; rx1") == "invalid G1b");
  CHECK(check_registers("rx1") == "invalid garbage-read");
  CHECK(check_registers("rx1; ry_; wy1", Model::kPl3, {.elle_compat = true}) == "valid");
}

TEST_CASE("registers: future-read") {
  CHECK(check_registers("rx1 wx1") == "invalid future-read");
  CHECK(check_registers("rx1 wx1; wx1") == "unknown");  // it may be the other's
  CHECK(check_registers("wx1 rx1") == "valid");
  CHECK(check_registers("rx1 wx1; ry_; wy1", Model::kPl3, {.elle_compat = true}) == "valid");
}

TEST_CASE("registers: lost-update") {
  CHECK(check_registers("wx1; rx1 wx2; rx1 wx3") == "invalid lost-update");
  CHECK(check_registers("wx1 rx1 wx2; wx3 rx3 wx4") == "valid");
}

TEST_CASE("registers: cycles through what was read") {
  CHECK(check_registers("wx1 ry1; wy1 rx1", Model::kPl2) == "invalid G1c");
  CHECK(check_registers("wx1 wy1; rx1 ry_", Model::kPlSi) == "invalid G-single-item");
  CHECK(check_registers("wx1; wy1; rx1 ry_; rx_ ry1", Model::kPlSi) ==
        "invalid G-nonadjacent-item");
  CHECK(check_registers("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1") == "invalid G2-item");
}

TEST_CASE("registers: session order and real time") {
  CHECK(check_registers("0 wx1; 0 rx_", Model::kStrongSessionSerializable) ==
        "invalid G-single-item-process");
  CHECK(check_registers("0 wx1; 1 rx_", Model::kPlSs) == "invalid G-single-item-realtime");
  CHECK(check_registers("0 wx1; 1 rx_", Model::kStrongSessionSerializable) == "valid");
}

TEST_CASE("registers: version orders that the user assumes") {
  CHECK(check_registers("wx1 wy1; rx1 wx2; rx2 wy2; ry2 wy3 wx4; ry1 rx2") == "valid");
  // Within a transaction writes follow reads: x goes from 1 to 2.
  constexpr std::string_view kBack = "wx1; rx1 wx2 wy1; rx1 ry1";
  CHECK(check_registers(kBack) == "valid");
  CHECK(check_registers(kBack, Model::kPl3, {.wfr_keys = true}) == "invalid G-single-item");
  // Each session sees them in order: 1 before 2.
  constexpr std::string_view kSessions = "0 wx1; 0 wx2 wy1; 1 ry1 rx1";
  CHECK(check_registers(kSessions) == "valid");
  CHECK(check_registers(kSessions, Model::kPl3, {.sequential_keys = true}) ==
        "invalid G-single-item");
  // So does real time; the stale read overlaps both writes.
  constexpr std::string_view kTime = "0> ry_ rx_; 1 wx1; 2 wx2 wy1; 0+ ry1 rx1";
  CHECK(check_registers(kTime, Model::kPl3, {.sequential_keys = true}) == "valid");
  CHECK(check_registers(kTime, Model::kPl3, {.linearizable_keys = true}) ==
        "invalid G-single-item");
  // By the given places of completions: 1, then 2.
  CHECK(check_registers(kTime, Model::kPl3, {.transaction_order = {{2, 1}, {4, 2}}}) ==
        "invalid G-single-item");
  CHECK(check_registers(kTime, Model::kPl3, {.transaction_order = {{2, 2}, {4, 1}}}) == "valid");
}

TEST_CASE("registers: assumptions that contradict one another are cyclic-versions") {
  CHECK(check_registers("0 wx1; 0 wx2; 1 rx2; 1 rx1", Model::kPl3, {.sequential_keys = true}) ==
        "invalid cyclic-versions");
}

TEST_CASE("registers: a value written twice proves nothing") {
  CHECK(check_registers("wx1 wy1; wx1; rx1 ry_") == "unknown");
  CHECK(check_registers("wx1; wx1; ry_") == "valid");
}

TEST_CASE("registers: indeterminate transactions count once what they wrote is read") {
  CHECK(check_registers("?wx1 wy1; rx1 ry_") == "invalid G-single-item");
  CHECK(check_registers("?wx1 wy1; rx_ ry_") == "valid");
}

}  // namespace
}  // namespace elapid
