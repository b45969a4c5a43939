// elapid run --scenario: what several sessions do step by step, played on a database, recorded,
// judged, and compared with what is expected.
#ifndef ELAPID_ADAPTER_CLI_RUN_SCENARIO_RUN_H_
#define ELAPID_ADAPTER_CLI_RUN_SCENARIO_RUN_H_

#include "adapter/cli/exit_codes.h"
#include "adapter/cli/run/run_request.h"

namespace elapid {

/// Plays the scenarios of the flags: files, and those of folders. Prints everything.
ExitCode run_scenarios(const RunFlags& flags);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_RUN_SCENARIO_RUN_H_
