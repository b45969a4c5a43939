#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/process/program_run.h"
#include "harness/servers/local_socket.h"
#include "harness/servers/server_kind.h"

namespace elapid {
namespace {

/// Debian installs it in a folder that only root's PATH has.
std::string program_of_mariadb() {
  const std::string debian = "/usr/sbin/mariadbd";
  return std::filesystem::exists(debian) ? debian : find_on_path("mariadbd");
}

std::vector<CommandLine> create_mariadb(const std::string& folder, const std::string& /*user*/) {
  return {{"mariadb-install-db", "--no-defaults", "--datadir=" + folder + "/data",
           "--tmpdir=" + folder, "--auth-root-authentication-method=normal", "--skip-test-db",
           "--skip-name-resolve"}};
}

CommandLine start_mariadb(const std::string& program, const std::string& folder) {
  return {program,
          "--no-defaults",
          "--datadir=" + folder + "/data",
          "--tmpdir=" + folder,
          "--socket=" + folder + "/mariadb.sock",
          "--pid-file=" + folder + "/mariadb.pid",
          "--skip-networking",
          "--skip-name-resolve",
          "--innodb-flush-log-at-trx-commit=2",
          "--innodb-buffer-pool-size=128M",
          "--max-connections=200"};
}

/// A server that is ready greets clients.
bool is_mariadb_ready(const std::string& folder) {
  return !first_answer(folder + "/mariadb.sock", "").empty();
}

std::string uri_of_mariadb(const std::string& folder, const std::string& /*user*/) {
  return "mysql://root@localhost/?socket=" + folder + "/mariadb.sock";
}

}  // namespace

const ServerKind& mariadb_server() {
  static constexpr ServerKind kMariadb = {.name = "mariadb",
                                          .package = "mariadb-server",
                                          .user = "mysql",
                                          .program = program_of_mariadb,
                                          .creation = create_mariadb,
                                          .start = start_mariadb,
                                          .is_ready = is_mariadb_ready,
                                          .uri = uri_of_mariadb,
                                          .stop_signal = SIGTERM,
                                          .shutdown_signal = SIGTERM};
  return kMariadb;
}

}  // namespace elapid
