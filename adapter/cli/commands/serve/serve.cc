// What elapid-serve does: makes the service of its parts, and serves until it is told to end.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "adapter/cli/commands/serve/serve_flags.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/http/page/page_routes.h"
#include "adapter/http/routes.h"
#include "adapter/http/server.h"
#include "adapter/http/service_routes.h"
#include "adapter/http/streams/stream_routes.h"
#include "adapter/http/streams/streams.h"
#include "engine/ir/thread.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {
namespace {

constexpr std::chrono::milliseconds kLookEvery{100};

/// The first line of the file. Error: kUnreadable; kUsage for a short one, which can be guessed.
Result<std::string> read_token(const std::string& path) {
  constexpr std::size_t kShortest = 16;
  const Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source) {
    return source.error();
  }
  std::string text(4096, '\0');
  const Result<std::size_t> size = source.value()->read(text);
  if (!size) {
    return size.error();
  }
  text.resize(size.value());
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  if (text.size() < kShortest) {
    return usage_error(fmt::format("{}: a token has at least {} characters", path, kShortest));
  }
  return text;
}

Result<http::ServerOptions> server_options(const ServeFlags& flags) {
  if (flags.certificate.empty() != flags.key.empty()) {
    return usage_error("--cert and --key need each other");
  }
  http::ServerOptions options = {.host = flags.host,
                                 .port = flags.port,
                                 .certificate = flags.certificate,
                                 .key = flags.key,
                                 .connections = flags.connections};
  if (!flags.token_file.empty()) {
    Result<std::string> token = read_token(flags.token_file);
    if (!token) {
      return token.error();
    }
    options.token = std::move(token).value();
  } else if (!http::is_loopback(flags.host)) {
    return usage_error("--host " + flags.host + " is not loopback, and needs --token-file");
  }
  return options;
}

/// The program elapid: beside this one where both were built, else where an installation has it.
std::string checking_program() {
  std::array<char, 4096> path = {};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view program(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::string folder(program.substr(0, program.rfind('/')));
  const std::string beside = folder + "/elapid";
  return ::access(beside.c_str(), X_OK) == 0 ? beside : folder + "/../../bin/elapid";
}

}  // namespace

ExitCode serve(const ServeFlags& flags) {
  catch_termination();
  Result<http::ServerOptions> options = server_options(flags);
  if (!options) {
    return print_error(options.error());
  }
  auto streams =
      http::Streams::open({.program = checking_program(), .folder = flags.state + "/streams"});
  if (!streams) {
    return print_error(streams.error());
  }
  http::RouteTable routes;
  http::add_page_routes(routes);
  http::add_stream_routes(routes, *streams.value());
  http::add_service_routes(routes, ELAPID_VERSION);
  Result<std::unique_ptr<http::Server>> opened =
      http::Server::open(std::move(options).value(), std::move(routes));
  if (!opened) {
    return print_error(opened.error());
  }
  http::Server& server = *opened.value();
  print_text(fmt::format("elapid serves at {}\n", server.address()));
  Thread watcher([&](const std::stop_token& stop) {
    while (!interrupted() && !stop.stop_requested()) {
      std::this_thread::sleep_for(kLookEvery);
    }
    server.stop();
  });
  server.run();
  return ExitCode::kOk;
}

}  // namespace elapid
