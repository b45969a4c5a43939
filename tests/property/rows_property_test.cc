// Random histories of rows and predicates: the engine's answers are those of the definition, and
// orders that prove them survive certification.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "engine/certify/certify.h"
#include "engine/replay/replay.h"
#include "engine/rows/rows.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr std::array kRowLevels = {
    OrderLevel{Visibility::kSerial, false, false},  OrderLevel{Visibility::kSerial, true, false},
    OrderLevel{Visibility::kSerial, true, true},    OrderLevel{Visibility::kSnapshot, false, false},
    OrderLevel{Visibility::kSnapshot, true, false}, OrderLevel{Visibility::kSnapshot, true, true},
};

/// What is wrong with the engine's answer; empty if nothing.
std::string mistake(const History& history, OrderLevel level, std::size_t (&answers)[3]) {
  const ReplayResult result = replay_rows(history, {.level = level});
  ++answers[static_cast<std::size_t>(result.validity)];
  const bool is_knowable =
      history.info().rows->is_closed() && (!level.real_time || history.info().has_real_time);
  if (result.validity == Validity::kUnknown) {
    return is_knowable ? "unknown: " + result.unknown_because : "";
  }
  const bool is_valid = result.validity == Validity::kValid;
  if (is_valid != rows_hold(history, level)) {
    return is_valid ? "valid, and is not" : "invalid, and is valid";
  }
  if (is_valid) {
    return check_evidence(history, level, result.witness.value()).value_or("");
  }
  return result.failure.has_value() ? "" : "invalid without a reason";
}

TEST_CASE("rows: replay answers as the definition does") {
  const std::uint64_t first = 1'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(6000);
  std::size_t answers[3] = {};
  std::size_t failures = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (!history) {
      continue;
    }
    for (const OrderLevel level : kRowLevels) {
      const std::string wrong = mistake(history.value(), level, answers);
      if (!wrong.empty()) {
        ++failures;
        FAIL_CHECK("seed " << seed << " visibility " << static_cast<int>(level.visibility)
                           << " sessions " << level.sessions << " real time " << level.real_time
                           << ": " << wrong << '\n'
                           << rows_text(history.value()));
        break;
      }
    }
  }
  CHECK(answers[static_cast<std::size_t>(Validity::kValid)] > cases / 2);
  CHECK(answers[static_cast<std::size_t>(Validity::kInvalid)] > cases / 2);
}

}  // namespace
}  // namespace elapid
