// A kind of private server: the commands that create its data and start it, and the test whether it
// takes connections.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elapid {

using CommandLine = std::vector<std::string>;

/// `folder` below: a folder for this server only, for its data, its socket and its log.
struct ServerKind {
  std::string_view name;     ///< `postgres`
  std::string_view package;  ///< of Debian
  std::string_view user;     ///< the user that runs it, if this program runs as root
  /// The full path of its program; empty if it is not installed.
  std::string (*program)();
  /// Commands that make an empty database. `user`: the system's user that will run the server.
  std::vector<CommandLine> (*creation)(const std::string& folder, const std::string& user);
  CommandLine (*start)(const std::string& program, const std::string& folder);
  /// Whether it takes connections.
  bool (*is_ready)(const std::string& folder);
  /// Its address for drivers.
  std::string (*uri)(const std::string& folder, const std::string& user);
  int stop_signal;      ///< ends it quickly and without harm
  int shutdown_signal;  ///< ends it in good order: disconnects clients, writes everything
};

/// PostgreSQL on a socket, with commit timestamps (`track_commit_timestamp`) and without fsync:
/// committed data survives a crash of the server, but not of the machine.
[[nodiscard]] const ServerKind& postgres_server();
/// MariaDB on a socket. Commits go to the operating system, not to the disk, as above.
[[nodiscard]] const ServerKind& mariadb_server();
/// Redis on a socket, with an append-only file; not synced to the disk either.
[[nodiscard]] const ServerKind& redis_server();

/// All kinds.
[[nodiscard]] std::vector<const ServerKind*> server_kinds();

/// The kind of server for this driver (harness/drive): MariaDB for `mysql`; null if it needs none.
[[nodiscard]] const ServerKind* server_of_driver(std::string_view driver);

}  // namespace elapid
