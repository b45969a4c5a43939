// elapid run --scenario: plays the steps of several sessions on a database, records and checks the
// history, and compares the result with the expected one.
#pragma once

#include "adapter/cli/commands/run/run_request.h"
#include "adapter/cli/exit_codes.h"

namespace elapid {

/// Plays the scenarios of the flags: files, and those of folders. Prints everything.
Result<ExitCode> run_scenarios(const RunFlags& flags);

}  // namespace elapid
