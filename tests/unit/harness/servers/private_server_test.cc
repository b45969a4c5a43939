#include "harness/servers/private_server.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "harness/process/process_tree.h"
#include "tests/support/wait_until.h"

namespace elapid {
namespace {

/// Whether the machine has the server; says so if not.
bool has(const ServerKind& kind) {
  if (kind.program().empty()) {
    std::cerr << "SKIPPED: " << kind.package << " is not installed\n";
    return false;
  }
  return true;
}

/// The process that listens on the server's socket is a child of this one.
std::size_t processes_of_mine() {
  return process_tree(::getpid()).size();
}

/// What stands by while there is a server, running or not: one process that guards its folder.
constexpr std::size_t kGuards = 1;

void check_life(const ServerKind& kind) {
  if (!has(kind)) {
    return;
  }
  const std::size_t alone = processes_of_mine();
  std::string folder;
  {
    Result<PrivateServer> started = PrivateServer::start(kind, {});
    INFO((started ? "" : started.error().message));
    REQUIRE(started.ok());
    PrivateServer& server = started.value();
    CHECK(server.is_running());
    CHECK(processes_of_mine() > alone + kGuards);
    const std::string uri = server.uri();
    folder = uri.substr(uri.find("/tmp"));
    folder = folder.substr(0, folder.find_first_of("&/", 5));
    CHECK(std::filesystem::exists(folder));

    server.pause();
    server.resume();
    server.kill();
    CHECK_FALSE(server.is_running());
    CHECK(processes_of_mine() == alone + kGuards);
    const Status restarted = server.restart();
    INFO((restarted.ok() ? "" : restarted.error().message));
    CHECK(restarted.ok());
    server.shut_down();
    CHECK_FALSE(server.is_running());
    CHECK(processes_of_mine() == alone + kGuards);
    CHECK(server.restart().ok());
    CHECK(server.uri() == uri);
    CHECK(kind.is_ready(folder));
  }
  CHECK(processes_of_mine() == alone);
  CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("a private PostgreSQL is started, killed, started again, and gone") {
  check_life(postgres_server());
}

TEST_CASE("a private MariaDB is started, killed, started again, and gone") {
  check_life(mariadb_server());
}

TEST_CASE("a private Redis is started, killed, started again, and gone") {
  check_life(redis_server());
}

TEST_CASE("a server ends with the program that started it, even one that is killed") {
  if (!has(redis_server())) {
    return;
  }
  std::array<int, 2> pipe = {-1, -1};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t starter = ::fork();
  if (starter == 0) {
    const Result<PrivateServer> started = PrivateServer::start(redis_server(), {});
    const std::string uri = started ? started.value().uri() : "";
    const bool is_told = ::write(pipe[1], uri.data(), uri.size()) > 0;
    ::close(pipe[1]);
    ::_exit(is_told && ::pause() == 0 ? 0 : 1);
  }
  ::close(pipe[1]);
  std::array<char, 500> uri = {};
  const ssize_t size = ::read(pipe[0], uri.data(), uri.size());
  REQUIRE(size > 0);
  const std::string path = std::string(uri.data(), static_cast<std::size_t>(size)).substr(6);
  const std::string folder = std::filesystem::path(path).parent_path();
  CHECK(std::filesystem::exists(folder));
  const std::vector<pid_t> tree = process_tree(starter);
  REQUIRE(tree.size() >= 2 + kGuards);
  ::kill(starter, SIGKILL);
  REQUIRE(::waitpid(starter, nullptr, 0) == starter);
  for (std::size_t i = 1; i < tree.size(); ++i) {
    CHECK(wait_until([&] { return ::kill(tree[i], 0) != 0; }));
  }
  CHECK_FALSE(std::filesystem::exists(folder));
  ::close(pipe[0]);
}

const ServerKind kMissing = {.name = "oracle",
                             .package = "oracle-server",
                             .user = "nobody",
                             .program = [] { return std::string(); },
                             .creation = nullptr,
                             .start = nullptr,
                             .is_ready = nullptr,
                             .uri = nullptr,
                             .stop_signal = SIGTERM,
                             .shutdown_signal = SIGTERM};

TEST_CASE("a server that is not installed: the message names its package") {
  const Result<PrivateServer> started = PrivateServer::start(kMissing, {});
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().kind == ErrorKind::kUsage);
  CHECK(started.error().message == "oracle is not installed: apt install oracle-server");
}

/// A server that says why it does not start.
const ServerKind kBroken = {
    .name = "broken",
    .package = "broken-server",
    .user = "nobody",
    .program = [] { return std::string("/bin/sh"); },
    .creation = [](const std::string&, const std::string&) { return std::vector<CommandLine>(); },
    .start =
        [](const std::string& program, const std::string&) {
          return CommandLine{program, "-c", "echo starting; echo no license >&2; exit 3"};
        },
    .is_ready = [](const std::string&) { return false; },
    .uri = [](const std::string&, const std::string&) { return std::string(); },
    .stop_signal = SIGTERM,
    .shutdown_signal = SIGTERM};

TEST_CASE("a server that does not come up: the message has its last words") {
  const Result<PrivateServer> started = PrivateServer::start(kBroken, {});
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().message == "broken ended while it started: starting no license");
}

/// A server that never takes connections.
ServerKind silent() {
  ServerKind kind = kBroken;
  kind.start = [](const std::string& program, const std::string&) {
    return CommandLine{program, "-c", "sleep 1000 & wait"};
  };
  return kind;
}

TEST_CASE("waiting for a server can be cancelled, and leaves no process") {
  const std::size_t alone = processes_of_mine();
  const ServerKind kind = silent();
  const Result<PrivateServer> started =
      PrivateServer::start(kind, {.is_cancelled = [] { return true; }});
  REQUIRE_FALSE(started.ok());
  CHECK(processes_of_mine() == alone);
}

TEST_CASE("a server that was killed starts again, whatever is cancelled meanwhile") {
  if (!has(redis_server())) {
    return;
  }
  bool is_cancelled = false;
  Result<PrivateServer> started =
      PrivateServer::start(redis_server(), {.is_cancelled = [&] { return is_cancelled; }});
  REQUIRE(started.ok());
  started.value().kill();
  is_cancelled = true;
  CHECK(started.value().restart().ok());
  CHECK(started.value().is_running());
}

}  // namespace
}  // namespace elapid
