// Reads scenarios from text.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// More steps, or more orders, are refused.
inline constexpr std::size_t kMostScenarioSteps = 1000;
inline constexpr std::size_t kMostScenarioOrders = 10000;

/// `file`: what errors call it, and by which the scenario is named. Error kMalformed: what was
/// expected and what was found, with line and column.
[[nodiscard]] Result<Scenario> parse_scenario(const std::string& file, std::string_view text);

/// The same from a file. Error kUnreadable too.
[[nodiscard]] Result<Scenario> read_scenario(const std::string& path);

}  // namespace elapid
