// The subcommands of the whole program.
#include "adapter/cli/command.h"

namespace elapid {

CommandTable commands() {
  CommandTable table;
  table.commands.push_back(check_command());
  table.commands.push_back(advise_command());
  table.commands.push_back(certify_command());
  table.commands.push_back(compare_command());
  table.commands.push_back(convert_command());
  table.commands.push_back(explain_command());
  table.commands.push_back(generate_command());
  table.commands.push_back(info_command());
  table.commands.push_back(levels_command());
  table.commands.push_back(lint_command());
  table.commands.push_back(minimize_command());
  table.commands.push_back(plot_command());
  table.commands.push_back(predict_command());
  table.commands.push_back(run_command());
  table.commands.push_back(scan_command());
  table.commands.push_back(serve_command());
  table.commands.push_back(show_command());
  table.commands.push_back(watch_command());
  table.commands.push_back(elle_cli_command());
  return table;
}

}  // namespace elapid
