// Reads a line `expect ...` of a scenario.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/scenario_line.h"

namespace elapid {

/// The driver of a database's name; empty for `any`. Error kMalformed.
[[nodiscard]] Result<std::string> take_database(ScenarioLine& line);

/// Adds what stands behind the word `expect`, of a scenario whose steps are known:
/// `postgres serializable, sqlite: none, step 4 waits`. Error kMalformed.
[[nodiscard]] Status read_expectation(ScenarioLine& line, Scenario& scenario);

}  // namespace elapid
