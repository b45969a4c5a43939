// The answer of a check, in the words of a job.
#pragma once

#include <string_view>

#include "adapter/http/checks/check_door.h"
#include "adapter/http/checks/job.h"

namespace elapid::http {

/// The verdict by the exit code, the levels by the result map.
[[nodiscard]] Outcome outcome_of(const CheckRun& run);

/// Reads levels, anomalies and transactions from a result map in EDN, or from a vector of maps of
/// several histories. Of several histories the worst answer counts; valid is only a level that was
/// asked of each.
void read_result(std::string_view result, Outcome& outcome);

}  // namespace elapid::http
