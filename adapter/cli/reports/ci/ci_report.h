// The outputs for CI systems that are made of all verdicts together.
#pragma once

#include <span>

#include "adapter/cli/options/output_format.h"
#include "adapter/cli/reports/ci/ci_histories.h"
#include "engine/ir/result.h"

namespace elapid {

/// Prints kSarif or kGithub. For kGithub also adds to the file that GITHUB_STEP_SUMMARY names, if
/// it is set. Error: kUnreadable if that file cannot be written.
[[nodiscard]] Status print_for_ci(OutputFormat format, std::span<const CiHistory> histories);

}  // namespace elapid
