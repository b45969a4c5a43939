// Reports on played scenarios: the steps of one, and a table of many.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/drive/driver.h"
#include "harness/scenario/expectation.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// `PostgreSQL 15.18`
[[nodiscard]] std::string database_text(const DriverInfo& driver,
                                        const std::vector<DatabaseFact>& facts);

/// One line for each step, in the order of play: its number or name, the session, the operation and
/// its result, the wait, and the reason of a failure.
[[nodiscard]] std::string steps_text(const Scenario& scenario, const Performance& performance);

/// One line for each order: the steps by name or session, the results, and the step that failed.
[[nodiscard]] std::string orders_text(const Scenario& scenario, std::span<const Played> orders);

/// The outcome of all orders in a few words: `G2-item`, `– (waits)`, `G-single 6/20`.
[[nodiscard]] std::string cell_text(std::span<const Played> orders);

/// A scenario, and its outcome at each level.
struct ScenarioRow {
  std::string name = {};
  std::vector<std::string> cells = {};
};

/// A table in Markdown, with aligned columns.
[[nodiscard]] std::string table_text(const std::vector<std::string>& levels,
                                     const std::vector<ScenarioRow>& rows);

}  // namespace elapid
