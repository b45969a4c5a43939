// The subcommands of a program that checks histories and does nothing else: small, and linked with
// neither the harness nor a database for the states of streams.
#include "adapter/cli/command.h"

namespace elapid {

CommandTable commands() {
  CommandTable table = {.left_out = {"advise", "compare", "explain", "generate", "minimize",
                                     "predict", "run", "serve", "watch"}};
  table.commands.push_back(check_command());
  table.commands.push_back(certify_command());
  table.commands.push_back(convert_command());
  table.commands.push_back(info_command());
  table.commands.push_back(levels_command());
  table.commands.push_back(lint_command());
  table.commands.push_back(plot_command());
  table.commands.push_back(scan_command());
  table.commands.push_back(show_command());
  table.commands.push_back(elle_cli_command());
  return table;
}

}  // namespace elapid
