// The program: finds the subcommand, runs it, and returns its exit code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/exit_codes.h"

namespace elapid {

/// Carries out the command line. `arguments` begin with the name of the program: under the name
/// `elle-cli` it behaves as elle-cli. Reports an error of writing once. Adds the commands that need
/// the table to it: help and completion.
ExitCode run_program(std::vector<std::string> arguments, CommandTable table,
                     std::string_view version);

}  // namespace elapid
