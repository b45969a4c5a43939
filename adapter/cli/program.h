// The program: finds the subcommand, runs it, answers with its exit code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/exit_codes.h"

namespace elapid {

/// Does what the command line asks for. `arguments` begin with the name under which the program was
/// called: `elle-cli` behaves as that does. An error of writing is told here, once. The commands
/// that speak of the others, help and completion, are added to the table.
ExitCode run_program(std::vector<std::string> arguments, CommandTable table,
                     std::string_view version);

}  // namespace elapid
