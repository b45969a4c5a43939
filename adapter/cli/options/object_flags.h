// Options on what single operations on objects mean, where the history does not tell.
#pragma once

#include <string>
#include <string_view>

#include "adapter/cli/options/options.h"
#include "engine/verdict/judge_request.h"

namespace elapid {

/// --failed-cas, and what its word says.
void add_failed_cas_flag(Options& options, std::string& how);
[[nodiscard]] FailedCas failed_cas_of(std::string_view how);

/// --lock and --lock-limit.
void add_lock_flags(Options& options, WorkloadSettings& settings);

}  // namespace elapid
