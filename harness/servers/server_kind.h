// A kind of private server: the commands that make its data and start it, and the test whether it
// is ready.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace elapid {

using CommandLine = std::vector<std::string>;

/// `folder` in what follows: the server's own, for its data, its socket and its log.
struct ServerKind {
  std::string_view name;     ///< `postgres`
  std::string_view package;  ///< of Debian
  std::string_view user;     ///< whom it runs as where this program is root
  /// Its program with the full path; empty if it is not installed.
  std::string (*program)();
  /// Commands that make an empty database. `user`: the system's user that will run the server.
  std::vector<CommandLine> (*creation)(const std::string& folder, const std::string& user);
  CommandLine (*start)(const std::string& program, const std::string& folder);
  /// Whether it takes connections.
  bool (*is_ready)(const std::string& folder);
  /// As drivers take it.
  std::string (*uri)(const std::string& folder, const std::string& user);
  int stop_signal;      ///< by which it ends quickly, and without harm
  int shutdown_signal;  ///< by which it ends in good order: sees its clients off, writes everything
};

/// PostgreSQL on a socket, with commit timestamps (`track_commit_timestamp`) and without fsync:
/// what was committed survives the death of the server, not that of the machine.
[[nodiscard]] const ServerKind& postgres_server();
/// MariaDB on a socket. Commits go to the operating system, not to the disk: likewise.
[[nodiscard]] const ServerKind& mariadb_server();
/// Redis on a socket, with an append-only file, likewise.
[[nodiscard]] const ServerKind& redis_server();

/// All of them.
[[nodiscard]] std::vector<const ServerKind*> server_kinds();

/// The kind that this driver (harness/drive) speaks to: `mysql` to MariaDB; null if it needs none.
[[nodiscard]] const ServerKind* server_of_driver(std::string_view driver);

}  // namespace elapid
