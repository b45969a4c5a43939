// Reads a line `expect ...` of a scenario.
#pragma once

#include <string>

#include "engine/ir/result.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/scenario_line.h"

namespace elapid {

/// Reads the name of a database, and returns its driver; empty for `any`. Error: kMalformed.
[[nodiscard]] Result<std::string> take_database(ScenarioLine& line);

/// Adds the expectations after the word `expect`; the scenario's steps must be known. Example:
/// `postgres serializable, sqlite: none, step 4 waits`. Error: kMalformed.
[[nodiscard]] Status read_expectation(ScenarioLine& line, Scenario& scenario);

}  // namespace elapid
