// Reads a checker's verdict from its output and its exit code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/compare/answer.h"
#include "harness/compare/checker.h"
#include "harness/process/program_run.h"

namespace elapid {

/// The result of a run: valid, invalid or unknown; or a failure with a short reason on one line:
/// the limit reached, the signal, an exit code without a meaning, output that matches no
/// pattern. `files`: the texts of VerdictRules::files after the run. `limits`: the limits of the
/// run.
[[nodiscard]] CheckerAnswer read_verdict(const VerdictRules& rules, const ProgramRun& run,
                                         const std::vector<std::string>& files,
                                         const RunLimits& limits);

/// The last line that is not empty, shortened, with `?` for all but printable ASCII.
[[nodiscard]] std::string last_line(std::string_view text);

}  // namespace elapid
