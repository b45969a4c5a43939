// The rate of a rare event, with its confidence limits.
#pragma once

#include <cstdint>

namespace elapid {

/// Events in a thousand trials, and the limits that hold the true rate in 95 runs of 100.
struct Rate {
  double per_thousand = 0;
  double least = 0;
  double most = 0;
};

/// The rate of `events` that come independently of one another (Poisson), with the exact limits of
/// Garwood, "Fiducial limits for the Poisson distribution" (Biometrika 28, 1936): of no event in
/// 10,000 trials they are 0 and 0.37. All 0 without trials.
[[nodiscard]] Rate rate_of(std::uint64_t events, std::uint64_t trials);

}  // namespace elapid
