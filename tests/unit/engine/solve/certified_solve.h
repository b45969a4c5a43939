// solve(), whose answer has to survive certification, and its proof also before it is minimized.
#pragma once

#include <catch2/catch.hpp>

#include "engine/certify/orders/witness.h"
#include "engine/certify/proofs/refutation.h"
#include "engine/solve/solve.h"
#include "tests/support/order_levels.h"

namespace elapid {

inline SolveResult certified_solve(const History& history, OrderLevel level,
                                   const Assumptions& assumptions = {}) {
  SolveResult result = solve(history, {.level = level, .assumptions = assumptions});
  INFO(to_text(level) << ' ' << result.unknown_because);
  if (result.validity == Validity::kValid) {
    REQUIRE(result.witness);
    CHECK(check_witness(history, level, *result.witness, assumptions).value_or("").empty());
  } else if (result.anomalies.empty()) {
    REQUIRE(result.validity == Validity::kInvalid);
    REQUIRE(result.refutation);
    CHECK(check_refutation(history, level, *result.refutation, assumptions).value_or("").empty());
    const SolveResult first =
        solve(history, {.level = level, .assumptions = assumptions, .minimal = false});
    REQUIRE(first.refutation);
    CHECK(check_refutation(history, level, *first.refutation, assumptions).value_or("").empty());
  }
  return result;
}

}  // namespace elapid
