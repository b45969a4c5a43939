// elapid run --scenario: what several sessions do step by step, played on a database, recorded,
// judged, and compared with what is expected.
#pragma once

#include "adapter/cli/commands/run/run_request.h"
#include "adapter/cli/exit_codes.h"

namespace elapid {

/// Plays the scenarios of the flags: files, and those of folders. Prints everything.
ExitCode run_scenarios(const RunFlags& flags);

}  // namespace elapid
