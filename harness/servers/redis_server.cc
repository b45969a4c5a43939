#include <signal.h>

#include <string>
#include <vector>

#include "harness/process/program_run.h"
#include "harness/servers/local_socket.h"
#include "harness/servers/server_kind.h"

namespace elapid {
namespace {

std::string program_of_redis() {
  return find_on_path("redis-server");
}

std::vector<CommandLine> create_redis(const std::string& /*folder*/, const std::string& /*user*/) {
  return {};
}

CommandLine start_redis(const std::string& program, const std::string& folder) {
  // Snapshots practically never happen; the append-only file holds all data.
  return {program, "--port",        "0",      "--unixsocket",        folder + "/redis.sock",
          "--dir", folder,          "--save", "31536000 1000000000", "--appendonly",
          "yes",   "--appendfsync", "no"};
}

/// The server answers that it is loading until it has read its file.
bool is_redis_ready(const std::string& folder) {
  return first_answer(folder + "/redis.sock", "PING\r\n").starts_with("+PONG");
}

std::string uri_of_redis(const std::string& folder, const std::string& /*user*/) {
  return "redis:" + folder + "/redis.sock";
}

}  // namespace

const ServerKind& redis_server() {
  static constexpr ServerKind kRedis = {.name = "redis",
                                        .package = "redis-server",
                                        .user = "redis",
                                        .program = program_of_redis,
                                        .creation = create_redis,
                                        .start = start_redis,
                                        .is_ready = is_redis_ready,
                                        .uri = uri_of_redis,
                                        .stop_signal = SIGTERM,
                                        .shutdown_signal = SIGTERM};
  return kRedis;
}

}  // namespace elapid
