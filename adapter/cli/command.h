// A subcommand: its options on the command line, and what it does once they are parsed.
#ifndef ELAPID_ADAPTER_CLI_COMMAND_H_
#define ELAPID_ADAPTER_CLI_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

#include "adapter/cli/exit_codes.h"

namespace CLI {
class App;
}

namespace elapid {

struct Command {
  CLI::App* app = nullptr;        ///< owned by the program's App
  std::function<ExitCode()> run;  ///< after parsing
};

// Each adds one subcommand to the program.
Command add_certify(CLI::App& program);
Command add_check(CLI::App& program);
Command add_convert(CLI::App& program);
Command add_info(CLI::App& program);
Command add_lint(CLI::App& program);
Command add_levels(CLI::App& program);
Command add_scan(CLI::App& program);
Command add_watch(CLI::App& program);

/// The whole of `elapid elle-cli`, and of the program when it is called elle-cli: `arguments` are
/// those after the name.
ExitCode run_elle_cli(std::vector<std::string> arguments);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_COMMAND_H_
