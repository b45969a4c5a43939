// The subcommands of the whole program.
#include "adapter/cli/command.h"

namespace elapid {

CommandTable commands() {
  return {.commands = {
              {"check", [] { return check_command(); }},
              {"advise", advise_command},
              {"certify", certify_command},
              {"compare", compare_command},
              {"convert", convert_command},
              {"explain", explain_command},
              {"generate", generate_command},
              {"info", info_command},
              {"levels", levels_command},
              {"lint", lint_command},
              {"minimize", minimize_command},
              {"plot", plot_command},
              {"predict", predict_command},
              {"run", run_command},
              {"scan", scan_command},
              {"serve", serve_command},
              {"show", show_command},
              {"watch", watch_command},
              {"elle-cli", elle_cli_command},
          }};
}

}  // namespace elapid
