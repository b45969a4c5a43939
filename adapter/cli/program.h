// The program: finds the subcommand, runs it, answers with its exit code.
#ifndef ELAPID_ADAPTER_CLI_PROGRAM_H_
#define ELAPID_ADAPTER_CLI_PROGRAM_H_

#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/exit_codes.h"

namespace elapid {

/// Does what the command line asks for. `arguments` begin with the name under which the program was
/// called: `elle-cli` behaves as that does. What cannot be written is told here, once.
ExitCode run_program(std::vector<std::string> arguments, std::string_view version);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_PROGRAM_H_
