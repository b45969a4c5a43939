// Reads scenarios from text.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// Limits on steps and on orders.
inline constexpr std::size_t kMostScenarioSteps = 1000;
inline constexpr std::size_t kMostScenarioOrders = 10000;

/// `file`: its name in errors, and the name of the scenario. Error: kMalformed, with the expected
/// and the found text, line and column.
[[nodiscard]] Result<Scenario> parse_scenario(const std::string& file, std::string_view text);

/// The same from a file. Further error: kUnreadable.
[[nodiscard]] Result<Scenario> read_scenario(const std::string& path);

}  // namespace elapid
