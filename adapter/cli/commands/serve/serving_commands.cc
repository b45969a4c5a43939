// The subcommand of the program elapid-serve.
#include "adapter/cli/command.h"
#include "adapter/cli/commands/serve/serve_flags.h"

namespace elapid {

CommandTable commands() {
  return {.commands = {{"serve", [] {
                          return serve_command_that(
                              [](const ServeFlags& flags, const std::vector<GivenOption>&) {
                                return serve(flags);
                              });
                        }}}};
}

}  // namespace elapid
