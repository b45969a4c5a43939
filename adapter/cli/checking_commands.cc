// The subcommands of a program that only checks histories: small, and linked with neither the
// harness nor a database for the states of streams.
#include "adapter/cli/command.h"

namespace elapid {

CommandTable commands() {
  return {.commands =
              {
                  {"check", [] { return check_command(); }},
                  {"certify", certify_command},
                  {"convert", convert_command},
                  {"info", info_command},
                  {"levels", levels_command},
                  {"lint", lint_command},
                  {"plot", plot_command},
                  {"scan", scan_command},
                  {"show", show_command},
                  {"elle-cli", elle_cli_command},
              },
          .left_out = {"advise", "compare", "explain", "generate", "minimize", "predict", "run",
                       "serve", "watch"}};
}

}  // namespace elapid
