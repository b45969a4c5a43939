// The flags of `elapid serve`, which two programs have: `elapid`, which knows what it is asked, and
// `elapid-serve`, which does it. Only that one is linked with what speaks HTTP and TLS, since
// loading these libraries would double the time in which `elapid check` starts.
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
  std::string histories = {};  ///< a folder that all who share the queue see; empty: the database
  bool is_worker = false;
  std::string take_over = "15s";
  std::string state = {};  ///< empty: in the user's folder of data
  std::size_t jobs = 0;    ///< 0: one a core
  std::string timeout = "10m";
  std::string memory = {};     ///< empty: half of what there is, shared among the jobs
  std::size_t keep_days = 0;   ///< 0: for ever
  std::size_t keep_count = 0;  ///< 0: all
  std::string max_body = "1G";
  std::string max_unpacked = "16G";
  std::size_t streams = 256;
  std::string stream_memory = "1G";
  std::string stream_size = "4G";
};

/// The program of this name: beside this one where both were built, else at `installed`, a path
/// from this one's folder, where packages put it.
[[nodiscard]] std::string program_beside(const std::string& name, const std::string& installed);

/// The command with its table of options. `run` gets the flags once they are parsed, and the
/// options as they were given, to be given again.
Command serve_command_that(
    std::function<Result<ExitCode>(const ServeFlags&, const std::vector<GivenOption>&)> run);

/// What `elapid-serve` does: serves until SIGINT or SIGTERM.
Result<ExitCode> serve(const ServeFlags& flags);

}  // namespace elapid
