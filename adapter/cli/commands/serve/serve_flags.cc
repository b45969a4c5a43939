#include "adapter/cli/commands/serve/serve_flags.h"

#include <memory>
#include <utility>

namespace elapid {
namespace {

void add_address_flags(Options& options, ServeFlags& flags) {
  options.begin_group("Where, and who may ask");
  options.value("--state", "DIR", flags.state, "Where jobs, streams and results are kept");
  options.value("--host", "ADDRESS", flags.host,
                "Address to listen at (default 127.0.0.1); others than loopback need --token-file");
  options.number("--port", "PORT", flags.port, "Port to listen at (default: a free one)",
                 {.most = 65535});
  options.value("--token-file", "FILE", flags.token_file,
                "A file with a token, which clients must send: Authorization: Bearer TOKEN");
  options.value("--cert", "FILE", flags.certificate, "Speak TLS, with this certificate (PEM)");
  options.value("--key", "FILE", flags.key, "The private key of the certificate (PEM)");
  options.number("--connections", "N", flags.connections,
                 "Connections that are served at once (default 512); more wait", {.least = 1});
}

}  // namespace

Command serve_command_that(
    std::function<ExitCode(const ServeFlags&, const std::vector<GivenOption>&)> run) {
  struct State {
    ServeFlags flags = {};
    std::vector<GivenOption> given = {};
  };

  const auto state = std::make_shared<State>();
  Command command = {
      .name = "serve",
      .about = "Serve checks over HTTP, with a page for browsers",
      .run = [state, run = std::move(run)] { return run(state->flags, state->given); }};
  command.options.argument("STORE", state->flags.store, "A folder of runs to show, too").once();
  command.options.note_given(state->given);
  add_address_flags(command.options, state->flags);
  return command;
}

}  // namespace elapid
