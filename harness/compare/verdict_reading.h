// Reads a checker's verdict from its output and its exit code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/compare/answer.h"
#include "harness/compare/checker.h"
#include "harness/process/program_run.h"

namespace elapid {

/// What a run says: valid, invalid or unknown, or that it failed, with the reason in a few words on
/// one line: the limit it reached, the signal, an exit code that means nothing, output that fits no
/// pattern. `files` are the texts of VerdictRules::files that the run has left. `limits` are those
/// that it had.
[[nodiscard]] CheckerAnswer read_verdict(const VerdictRules& rules, const ProgramRun& run,
                                         const std::vector<std::string>& files,
                                         const RunLimits& limits);

/// The last line that is not empty, shortened; what is not printable ASCII in it is `?`.
[[nodiscard]] std::string last_line(std::string_view text);

}  // namespace elapid
