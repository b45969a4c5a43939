#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "harness/process/program_run.h"
#include "harness/servers/local_socket.h"
#include "harness/servers/server_kind.h"

namespace elapid {
namespace {

/// The newest version of Debian, which installs versions side by side; else the program on the
/// PATH.
std::string program_of_postgres() {
  std::vector<int> versions;
  std::error_code error;
  const std::filesystem::path root = "/usr/lib/postgresql";
  for (std::filesystem::directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    const bool is_version = !name.empty() && name.size() < 4 &&
                            std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    if (is_version && std::filesystem::exists(entry->path() / "bin/postgres", error)) {
      versions.push_back(std::stoi(name));
    }
  }
  if (versions.empty()) {
    return find_on_path("postgres");
  }
  return root / std::to_string(std::ranges::max(versions)) / "bin" / "postgres";
}

std::vector<CommandLine> create_postgres(const std::string& folder, const std::string& user) {
  const std::filesystem::path program = program_of_postgres();
  return {{program.parent_path() / "initdb", "--pgdata=" + folder + "/data", "--username=" + user,
           "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C", "--no-instructions"}};
}

CommandLine start_postgres(const std::string& program, const std::string& folder) {
  CommandLine command = {program, "-D", folder + "/data"};
  for (const std::string& setting :
       {"unix_socket_directories=" + folder, std::string("listen_addresses="),
        std::string("fsync=off"), std::string("full_page_writes=off"),
        std::string("track_commit_timestamp=on"), std::string("max_connections=200"),
        std::string("log_min_messages=warning"),
        // The time until a waiting transaction looks for a deadlock; the default is a second.
        std::string("deadlock_timeout=20ms")}) {
    command.insert(command.end(), {"-c", setting});
  }
  return command;
}

/// The eighth line of the pid file tells the state. A killed server leaves the file behind but does
/// not listen; a new server writes the file before it listens.
bool is_postgres_ready(const std::string& folder) {
  if (!takes_connections(folder + "/.s.PGSQL.5432")) {
    return false;
  }
  std::ifstream file(folder + "/data/postmaster.pid");
  std::string line;
  for (int number = 1; number <= 8; ++number) {
    if (!std::getline(file, line)) {
      return false;
    }
  }
  return line.starts_with("ready");
}

std::string uri_of_postgres(const std::string& folder, const std::string& user) {
  return "postgres:///postgres?host=" + folder + "&user=" + user;
}

}  // namespace

const ServerKind& postgres_server() {
  static constexpr ServerKind kPostgres = {.name = "postgres",
                                           .package = "postgresql",
                                           .user = "postgres",
                                           .program = program_of_postgres,
                                           .creation = create_postgres,
                                           .start = start_postgres,
                                           .is_ready = is_postgres_ready,
                                           .uri = uri_of_postgres,
                                           .stop_signal = SIGQUIT,
                                           .shutdown_signal = SIGINT};
  return kPostgres;
}

}  // namespace elapid
