// A subcommand: its options on the command line, and what it does once they are parsed.
//
// To add one: a function here, defined in a file of its own, and its line in all_commands().
#ifndef ELAPID_ADAPTER_CLI_COMMAND_H_
#define ELAPID_ADAPTER_CLI_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

#include "adapter/cli/exit_codes.h"
#include "adapter/cli/options.h"

namespace elapid {

struct Command {
  std::string name = {};
  std::string about = {};  ///< a few words
  Options options = {};
  std::function<ExitCode()> run = {};  ///< after parsing
};

Command certify_command();
Command check_command();
Command compare_command();
Command convert_command();
Command elle_cli_command();
Command generate_command();
Command info_command();
Command levels_command();
Command lint_command();
Command minimize_command();
Command scan_command();
Command watch_command();

/// The whole of `elapid elle-cli`, and of the program when it is called elle-cli: `arguments` are
/// those after the name. Its answers to wrong options are elle-cli's.
ExitCode run_elle_cli(const std::vector<std::string>& arguments);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_COMMAND_H_
