// The flags of `elapid serve`, which two programs have: `elapid` parses the flags, `elapid-serve`
// serves. Only `elapid-serve` is linked with the libraries for HTTP and TLS, because loading them
// would double the start time of `elapid check`.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "adapter/cli/command.h"

namespace elapid {

/// As typed.
struct ServeFlags {
  std::string store = {};  ///< a folder of runs to show; empty: none
  bool check_runs = false;
  std::string host = "127.0.0.1";
  int port = 0;
  std::string token_file = {};
  std::string certificate = {};
  std::string key = {};
  std::size_t connections = 512;
  std::size_t rate = 1000;
  std::size_t client_connections = 256;
  std::string queue = {};      ///< the address of a PostgreSQL; empty: the state has the queue
  std::string histories = {};  ///< a folder that all users of the queue see; empty: the database
  bool is_worker = false;
  std::string take_over = "15s";
  std::string state = {};  ///< empty: in the user's data folder
  std::size_t jobs = 0;    ///< 0: one a core
  std::string timeout = "10m";
  std::string memory = {};     ///< empty: half of the machine's, shared among the jobs
  std::size_t keep_days = 0;   ///< 0: for ever
  std::size_t keep_count = 0;  ///< 0: all
  std::string max_body = "1G";
  std::string max_unpacked = "16G";
  std::size_t streams = 256;
  std::string stream_memory = "1G";
  std::string stream_size = "4G";
};

/// The path of another program: beside this one, as builds have it, else at `installed`, the path
/// from this program's folder in packages.
[[nodiscard]] std::string program_beside(const std::string& name, const std::string& installed);

/// The command with its table of options. `run` gets the parsed flags, and the options as they were
/// given, to pass them on.
Command serve_command_that(
    std::function<Result<ExitCode>(const ServeFlags&, const std::vector<GivenOption>&)> run);

/// The work of `elapid-serve`: serves until SIGINT or SIGTERM.
Result<ExitCode> serve(const ServeFlags& flags);

}  // namespace elapid
