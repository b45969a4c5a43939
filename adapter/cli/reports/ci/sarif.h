// Verdicts as SARIF 2.1.0, which code scanning shows: a result for each root cause, at the lines of
// the operations, with the steps of the explanation as a code flow.
//
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "adapter/cli/reports/ci/ci_history.h"

namespace elapid {

// Limits that consumers of SARIF can take. A notification of the run counts what is left out.
inline constexpr std::size_t kMostResults = 25'000;
inline constexpr std::size_t kMostLocations = 100;  ///< of a result
inline constexpr std::size_t kMostFlowSteps = 1'000;

/// A document with one run. Invalid histories are errors, unknown ones are notes. Histories that
/// could not be checked have no result and become notifications.
[[nodiscard]] std::string to_sarif(std::span<const CiHistory> histories, std::string_view version);

}  // namespace elapid
