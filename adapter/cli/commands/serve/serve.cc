// What elapid-serve does: makes the service of its parts, and serves until it is told to end.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "adapter/cli/commands/serve/serve_flags.h"
#include "adapter/cli/commands/serve/served_checks.h"
#include "adapter/cli/commands/serve/state_folder.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/http/checks/check_routes.h"
#include "adapter/http/checks/check_workers.h"
#include "adapter/http/metrics.h"
#include "adapter/http/routes.h"
#include "adapter/http/server.h"
#include "adapter/http/service_routes.h"
#include "engine/ir/thread.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/door/limits.h"

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
  http::ServerOptions options = {
      .host = flags.host,
      .port = flags.port,
      .certificate = flags.certificate,
      .key = flags.key,
      .connections = flags.connections,
      .client = {.rate = static_cast<double>(flags.rate), .connections = flags.client_connections}};
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

struct ServeLimits {
  CheckCeilings check = {};
  http::UploadLimits upload = {};
  std::size_t jobs = 1;
};

Result<ServeLimits> limits_of(const ServeFlags& flags) {
  ServeLimits limits = {.jobs = flags.jobs != 0 ? flags.jobs : default_threads()};
  limits.check.threads = std::max<std::size_t>(default_threads() / limits.jobs, 1);
  const Result<std::chrono::milliseconds> time = parse_duration(flags.timeout);
  if (!time) {
    return time.error();
  }
  limits.check.time = time.value();
  limits.check.memory = default_memory().value_or(limits.check.memory) / limits.jobs;
  for (const auto& [text, into] : {std::pair(&flags.memory, &limits.check.memory),
                                   std::pair(&flags.max_body, &limits.upload.bytes),
                                   std::pair(&flags.max_unpacked, &limits.check.file)}) {
    const Result<std::uint64_t> bytes = text->empty() ? *into : parse_bytes(*text);
    if (!bytes) {
      return bytes.error();
    }
    *into = bytes.value();
  }
  return limits;
}

/// The queue and the files of its jobs.
struct Store {
  std::unique_ptr<http::JobQueue> queue = {};
  std::unique_ptr<http::JobFiles> files = {};
};

/// In the folder of the state, whose lock says that there is no other service: what was running
/// runs no more, and what no job has is left of a kill.
Result<std::unique_ptr<Store>> open_store(const StateFolder& state) {
  const std::string& folder = state.path();
  auto store = std::make_unique<Store>();
  Result<std::unique_ptr<http::Database>> database = http::open_sqlite(folder + "/jobs.sqlite");
  if (!database) {
    return database.error();
  }
  Result<std::unique_ptr<http::JobQueue>> queue = http::JobQueue::open(std::move(database).value());
  if (!queue) {
    return queue.error();
  }
  store->queue = std::move(queue).value();
  Result<std::unique_ptr<http::JobFiles>> files = http::files_in_folder(folder);
  if (!files) {
    return files.error();
  }
  store->files = std::move(files).value();
  if (const Status asked = state.is_after_boot() ? store->queue->ask_newest_again() : Status();
      !asked.ok()) {
    return asked.error();
  }
  const Result<std::size_t> taken = store->queue->take_back(std::chrono::milliseconds(0));
  const Result<std::vector<std::string>> folders = store->queue->folders();
  if (!taken || !folders) {
    return !taken ? taken.error() : folders.error();
  }
  const Status cleaned = store->files->remove_others(folders.value(), std::chrono::seconds(0));
  return cleaned.ok() ? Result<std::unique_ptr<Store>>(std::move(store)) : cleaned.error();
}

/// What is now, beside the counters.
std::string gauges(http::JobQueue& queue) {
  std::map<std::string, double> jobs;
  if (const auto counts = queue.counts()) {
    for (const auto& [name, count] : counts.value()) {
      jobs[fmt::format("is=\"{}\"", name)] = static_cast<double>(count);
    }
  }
  return http::metric_lines("elapid_jobs", "gauge", jobs) +
         http::metric_lines("elapid_resident_bytes", "gauge",
                            {{"", static_cast<double>(resident_bytes())}});
}

Status serve_checks(const ServeFlags& /*flags*/, http::ServerOptions options,
                    const ServeLimits& limits, Store& store) {
  http::Metrics metrics;
  const http::CheckDoor door = served_checks(limits.check);
  std::optional<http::CheckWorkers> workers;
  http::RouteTable routes;
  http::add_check_routes(routes, {.queue = *store.queue,
                                  .files = *store.files,
                                  .door = door,
                                  .metrics = metrics,
                                  .limits = limits.upload,
                                  .wake = [&] { workers->wake(); }});
  options.largest_body = limits.upload.bytes;
  http::add_service_routes(routes, ELAPID_VERSION,
                           [&] { return metrics.text() + gauges(*store.queue); });
  Result<std::unique_ptr<http::Server>> opened =
      http::Server::open(std::move(options), std::move(routes), metrics);
  if (!opened) {
    return opened.error();
  }
  http::Server& server = *opened.value();
  workers.emplace(*store.queue, *store.files, door, metrics,
                  http::WorkerOptions{.count = limits.jobs});
  print_text(fmt::format("elapid serves at {}\n", server.address()));
  Thread watcher([&](const std::stop_token& stop) {
    while (!interrupted() && !stop.stop_requested()) {
      std::this_thread::sleep_for(kLookEvery);
    }
    server.stop();
  });
  server.run();
  return {};
}

}  // namespace

ExitCode serve(const ServeFlags& flags) {
  catch_termination();
  Result<http::ServerOptions> options = server_options(flags);
  if (!options) {
    return print_error(options.error());
  }
  const Result<ServeLimits> limits = limits_of(flags);
  if (!limits) {
    return print_error(limits.error());
  }
  Result<StateFolder> state = StateFolder::open(flags.state);
  if (!state) {
    return print_error(state.error());
  }
  Result<std::unique_ptr<Store>> store = open_store(state.value());
  if (!store) {
    return print_error(store.error());
  }
  const Status served =
      serve_checks(flags, std::move(options).value(), limits.value(), *store.value());
  return served.ok() ? ExitCode::kOk : print_error(served.error());
}

}  // namespace elapid
