// Whether a scenario came out as its file expects.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/levels/models.h"
#include "harness/drive/driver.h"
#include "harness/scenario/judge.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// Where a scenario is played.
struct ScenarioVenue {
  const DriverInfo& driver;
  const DatabaseUri& uri;
  std::string_view level;
};

/// Whether something is expected there.
[[nodiscard]] bool applies(const Expectation& expectation, const ScenarioVenue& venue);

/// The levels that expectations of this scenario ask about.
[[nodiscard]] ModelSet levels_expected(const Scenario& scenario);

/// What happened instead, in all orders that were played, of which the first is the file's; empty
/// where it is as expected.
[[nodiscard]] std::string what_else(const Expectation& expectation, const Scenario& scenario,
                                    std::span<const Played> orders);

}  // namespace elapid
