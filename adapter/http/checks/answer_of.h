// What a check answered, in the words of a job.
#pragma once

#include <string>
#include <string_view>

#include "adapter/http/checks/check_door.h"
#include "adapter/http/checks/job.h"

namespace elapid::http {

/// The verdict by the exit code, the levels by the result map.
[[nodiscard]] Outcome outcome_of(const CheckRun& run);

/// `,serializable:invalid,causal:valid,`: what a result map in EDN, or a vector of maps, says of
/// each level that was asked for. Of several histories the worst counts.
[[nodiscard]] std::string levels_in(std::string_view result);

}  // namespace elapid::http
