// What a check answered, in the words of a job.
#pragma once

#include <string_view>

#include "adapter/http/checks/check_door.h"
#include "adapter/http/checks/job.h"

namespace elapid::http {

/// The verdict by the exit code, the levels by the result map.
[[nodiscard]] Outcome outcome_of(const CheckRun& run);

/// What a result map in EDN, or a vector of maps of several histories, says of each level that was
/// asked for, of anomalies and of transactions. Of several histories the worst counts.
void read_result(std::string_view result, Outcome& outcome);

}  // namespace elapid::http
