#include "adapter/cli/commands/serve/serve_flags.h"

#include <unistd.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace elapid {
namespace {

void add_address_flags(Options& options, ServeFlags& flags) {
  options.begin_group("Where, and who may ask");
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
  options.number("--client-connections", "N", flags.client_connections,
                 "Connections of one client at once (default 256; 0: no limit)");
  options.number("--rate", "N", flags.rate,
                 "Requests of one client in a second (default 1000; 0: no limit)",
                 {.most = 1000000});
}

void add_check_limits(Options& options, ServeFlags& flags) {
  options.begin_group("Storage, and limits of a check");
  options.value("--state", "DIR", flags.state,
                "Keep histories and answers in DIR (default: elapid in the user's data folder)");
  options.number("--keep", "DAYS", flags.keep_days,
                 "Remove checks and streams that ended so many days ago (default: keep them)",
                 {.least = 1, .most = 36500});
  options.number(
      "--keep-count", "N", flags.keep_count,
      "Keep the newest N checks that have ended, and the newest N streams (default: all)",
      {.least = 1});
  options.flag("--check-runs", flags.check_runs,
               "Check each run of STORE when it has ended, without being asked");
  options.number("-j,--jobs", "N", flags.jobs, "Checks at a time (default: one a core)",
                 {.least = 1, .most = 4096});
  options.value("--timeout", "DURATION", flags.timeout,
                "Time of one check (default 10m); clients may ask for less");
  options.value("--memory", "SIZE", flags.memory,
                "Memory of one check, as 2G (default: half of what there is, shared among the "
                "jobs); clients may ask for less");
  options.value("--max-body", "SIZE", flags.max_body,
                "The largest history that is taken, as it comes (default 1G)");
  options.value("--max-unpacked", "SIZE", flags.max_unpacked,
                "What a compressed history may unpack to (default 16G)");
}

void add_stream_limits(Options& options, ServeFlags& flags) {
  options.begin_group("Streams");
  options.number("--streams", "N", flags.streams, "Streams that have not ended (default 256)");
  options.value("--stream-memory", "SIZE", flags.stream_memory,
                "Memory of the check of one stream (default 1G)");
  options.value("--stream-size", "SIZE", flags.stream_size, "Lines of one stream (default 4G)");
}

void add_queue_flags(Options& options, ServeFlags& flags) {
  options.begin_group("On several machines");
  options.value("--queue", "URI", flags.queue,
                "Share the checks with other services and workers through this PostgreSQL: "
                "postgresql://...");
  options.value("--histories", "DIR", flags.histories,
                "Keep histories and answers in DIR, which all who share the queue see (default: in "
                "the database)");
  options.value("--take-over", "DURATION", flags.take_over,
                "How long a worker may be silent before its checks are given to others (default "
                "15s)");
  options.flag("--worker", flags.is_worker,
               "Only work: take checks from --queue, and serve nothing");
}

}  // namespace

std::string program_beside(const std::string& name, const std::string& installed) {
  std::array<char, 4096> path = {};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view program(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::string folder(program.substr(0, program.rfind('/') + 1));
  const std::string beside = folder + name;
  return ::access(beside.c_str(), X_OK) == 0 ? beside : folder + installed;
}

Command serve_command_that(
    std::function<Result<ExitCode>(const ServeFlags&, const std::vector<GivenOption>&)> run) {
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
  add_check_limits(command.options, state->flags);
  add_stream_limits(command.options, state->flags);
  add_queue_flags(command.options, state->flags);
  return command;
}

}  // namespace elapid
