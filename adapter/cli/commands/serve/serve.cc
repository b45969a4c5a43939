// The work of elapid-serve: makes the service of its parts, and serves until told to end.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
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
#include "adapter/http/page/page_routes.h"
#include "adapter/http/retention.h"
#include "adapter/http/routes.h"
#include "adapter/http/runs/run_checks.h"
#include "adapter/http/runs/run_routes.h"
#include "adapter/http/runs/stored_runs.h"
#include "adapter/http/server.h"
#include "adapter/http/service_routes.h"
#include "adapter/http/streams/stream_routes.h"
#include "adapter/http/streams/streams.h"
#include "engine/ir/thread.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/door/limits.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookEvery{100};

/// Malloc arenas, which threads share. With one for each connection, freed memory adds up.
constexpr int kArenas = 2;

/// The first line of the file. Error: kUnreadable; kUsage for a token that is short enough to
/// guess.
Result<std::string> read_token(const std::string& path) {
  constexpr std::size_t kShortest = 16;
  ELAPID_ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source, open_source(path));
  std::string text(4096, '\0');
  ELAPID_ASSIGN_OR_RETURN(const std::size_t size, source->read(text));
  text.resize(size);
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
    ELAPID_ASSIGN_OR_RETURN(options.token, read_token(flags.token_file));
  } else if (!http::is_loopback(flags.host)) {
    return usage_error("--host " + flags.host + " is not loopback, and needs --token-file");
  }
  return options;
}

struct ServeLimits {
  CheckCeilings check = {};
  http::UploadLimits upload = {};
  std::size_t jobs = 1;
  std::chrono::milliseconds silence{0};  ///< of workers of others; 0: there are none
};

Result<ServeLimits> limits_of(const ServeFlags& flags) {
  ServeLimits limits = {.jobs = flags.jobs != 0 ? flags.jobs : default_threads()};
  limits.check.threads = std::max<std::size_t>(default_threads() / limits.jobs, 1);
  ELAPID_ASSIGN_OR_RETURN(limits.check.time, parse_duration(flags.timeout));
  if (!flags.queue.empty()) {
    ELAPID_ASSIGN_OR_RETURN(limits.silence, parse_duration(flags.take_over));
  }
  limits.check.memory = default_memory().value_or(limits.check.memory) / limits.jobs;
  for (const auto& [text, into] : {std::pair(&flags.memory, &limits.check.memory),
                                   std::pair(&flags.max_body, &limits.upload.bytes),
                                   std::pair(&flags.max_unpacked, &limits.check.file)}) {
    ELAPID_ASSIGN_OR_RETURN(const std::uint64_t bytes, text->empty() ? *into : parse_bytes(*text));
    *into = bytes;
  }
  return limits;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsData = false;  // a sanitizer's shadow memory counts as data
#else
constexpr bool kLimitsData = true;
#endif

Result<http::StreamSettings> stream_settings(const ServeFlags& flags, const StateFolder& state) {
  http::StreamSettings settings = {
      .watch = served_watch, .folder = state.path() + "/streams", .most = flags.streams};
  const Result<std::uint64_t> memory = parse_bytes(flags.stream_memory);
  const Result<std::uint64_t> size = parse_bytes(flags.stream_size);
  if (!memory || !size) {
    return !memory ? memory.error() : size.error();
  }
  settings.memory = kLimitsData ? std::optional(memory.value()) : std::nullopt;
  settings.most_bytes = size.value();
  return settings;
}

/// The queue and the files of its jobs.
struct Store {
  std::unique_ptr<http::JobQueue> queue = {};
  std::unique_ptr<http::JobFiles> files = {};

  /// Removes leftovers of a kill that are older than this.
  Status remove_others(std::chrono::seconds age) const {
    const Result<std::vector<std::string>> folders = queue->folders();
    return folders ? files->remove_others(folders.value(), age) : Status(folders.error());
  }
};

using OpenedStore = Result<std::unique_ptr<Store>>;

/// The store of an opened database. `open_files` opens the files of its jobs.
OpenedStore store_in(
    Result<std::unique_ptr<http::Database>> database,
    const std::function<Result<std::unique_ptr<http::JobFiles>>(http::Database&)>& open_files) {
  ELAPID_RETURN_IF_ERROR(database);
  auto store = std::make_unique<Store>();
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<http::JobQueue> queue,
                          http::JobQueue::open(std::move(database).value()));
  store->queue = std::move(queue);
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<http::JobFiles> files,
                          open_files(store->queue->database()));
  store->files = std::move(files);
  return store;
}

/// The store in the folder of the state. The folder's lock excludes other services, so running jobs
/// are left over from a kill, and so are files that belong to no job.
OpenedStore open_own_store(const StateFolder& state) {
  OpenedStore store =
      store_in(http::open_sqlite(state.path() + "/jobs.sqlite"),
               [&](http::Database&) { return http::files_in_folder(state.path()); });
  if (!store) {
    return store;
  }
  Status status = state.is_after_boot() ? store.value()->queue->ask_newest_again() : Status();
  if (status.ok()) {
    const Result<std::size_t> taken = store.value()->queue->take_back(std::chrono::milliseconds(0));
    status = taken ? store.value()->remove_others(std::chrono::seconds(0)) : taken.error();
  }
  return status.ok() ? std::move(store) : OpenedStore(status.error());
}

/// The store in PostgreSQL, through a connection of its own. `who` names its scratch folder.
OpenedStore open_shared_store(const ServeFlags& flags, const StateFolder& state,
                              const std::string& who) {
  return store_in(http::open_postgres(flags.queue), [&](http::Database& database) {
    return flags.histories.empty() ? http::files_in_database(database, state.path() + "/" + who)
                                   : http::files_in_folder(flags.histories);
  });
}

/// The current values, beside the counters.
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

/// Work that is repeated while the service runs. If the database cannot be reached, the next turn
/// tries again.
struct Chore {
  std::chrono::milliseconds every;
  std::function<void()> work;
  std::chrono::steady_clock::time_point next = std::chrono::steady_clock::now();
};

/// Removes from time to time what killed services left behind.
Chore sweep(const Store& store) {
  constexpr std::chrono::hours kEvery{1};
  return {.every = kEvery,
          .work = [&store] { (void)store.remove_others(std::chrono::hours(24)); },
          .next = std::chrono::steady_clock::now() + kEvery};
}

/// Removes ended jobs and streams that need not be kept.
Chore forget(const http::Retention& retention, const Store& store, http::Streams& streams) {
  return {
      .every = std::chrono::minutes(1), .work = [retention, &store, &streams] {
        const auto folders = store.queue->remove_ended(retention);
        for (const std::string& folder : folders ? folders.value() : std::vector<std::string>()) {
          (void)store.files->remove(folder);  // on failure the next start or sweep() removes it
        }
        streams.remove_ended(retention);
      }};
}

/// Does the chores until a signal arrives.
void wait_for_end(std::vector<Chore> chores, const std::stop_token& stop) {
  while (!interrupted() && !stop.stop_requested()) {
    for (Chore& chore : chores) {
      if (std::chrono::steady_clock::now() >= chore.next) {
        (void)caught(chore.work);
        chore.next = std::chrono::steady_clock::now() + chore.every;
      }
    }
    std::this_thread::sleep_for(kLookEvery);
  }
}

/// The parts of the service; each part refers to those above it.
struct ServiceParts {
  http::Metrics metrics = {};
  http::CheckDoor door = {};
  std::unique_ptr<Store> served = {};     ///< for requests
  std::unique_ptr<Store> worked_on = {};  ///< for the workers, if it is another connection
  std::unique_ptr<http::Streams> streams = {};
  std::optional<http::CheckWorkers> workers = {};
};

void begin_workers(ServiceParts& parts, const ServeLimits& limits) {
  Store& store = parts.worked_on ? *parts.worked_on : *parts.served;
  parts.workers.emplace(*store.queue, *store.files, parts.door, parts.metrics,
                        http::WorkerOptions{.count = limits.jobs, .silence = limits.silence});
}

http::Retention retention_of(const ServeFlags& flags) {
  http::Retention retention;
  if (flags.keep_days != 0) {
    retention.age = std::chrono::days(flags.keep_days);
  }
  if (flags.keep_count != 0) {
    retention.count = flags.keep_count;
  }
  return retention;
}

Status serve_requests(const ServeFlags& flags, http::ServerOptions options,
                      const ServeLimits& limits, ServiceParts& parts) {
  Store& store = *parts.served;
  http::RouteTable routes;
  const http::CheckService service = {.queue = *store.queue,
                                      .files = *store.files,
                                      .door = parts.door,
                                      .metrics = parts.metrics,
                                      .limits = limits.upload,
                                      .wake = [&] { parts.workers->wake(); }};
  http::add_check_routes(routes, service);
  const std::string folder = flags.store.empty() ? "" : fs::absolute(flags.store).string();
  http::StoredRuns runs(folder);
  ELAPID_ASSIGN_OR_RETURN(const auto run_checks, http::RunChecks::open(service, folder));
  http::add_run_routes(routes, service, runs, *run_checks);
  http::add_stream_routes(routes, *parts.streams);
  http::add_page_routes(routes);
  options.largest_body = limits.upload.bytes;
  http::add_service_routes(routes, ELAPID_VERSION,
                           [&] { return parts.metrics.text() + gauges(*store.queue); });
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<http::Server> opened,
                          http::Server::open(std::move(options), std::move(routes), parts.metrics));
  http::Server& server = *opened;
  begin_workers(parts, limits);
  print_text(fmt::format("elapid serves at {}\n", server.address()));
  std::vector<Chore> chores = {sweep(store)};
  if (const http::Retention retention = retention_of(flags); !retention.keeps_all()) {
    chores.push_back(forget(retention, store, *parts.streams));
  }
  if (flags.check_runs) {
    chores.push_back({.every = std::chrono::seconds(5),
                      .work = [&] { run_checks->check_new(runs.list(), interrupted); }});
  }
  const Thread watcher([&](const std::stop_token& stop) {
    wait_for_end(chores, stop);
    server.stop();
  });
  server.run();
  return {};
}

Status work_only(const ServeFlags& flags, const ServeLimits& limits, ServiceParts& parts) {
  if (flags.queue.empty()) {
    return usage_error("--worker needs --queue");
  }
  begin_workers(parts, limits);
  print_text("elapid works for the queue\n");
  wait_for_end({sweep(*parts.worked_on)}, {});
  return {};
}

Status open_stores(const ServeFlags& flags, const StateFolder& state, ServiceParts& parts) {
  const auto put = [](OpenedStore opened, std::unique_ptr<Store>& into) -> Status {
    ELAPID_RETURN_IF_ERROR(opened);
    into = std::move(opened).value();
    return {};
  };
  if (flags.queue.empty()) {
    return flags.histories.empty() ? put(open_own_store(state), parts.served)
                                   : Status(usage_error("--histories needs --queue"));
  }
  Status status = put(open_shared_store(flags, state, "work"), parts.worked_on);
  return status.ok() && !flags.is_worker
             ? put(open_shared_store(flags, state, "incoming"), parts.served)
             : status;
}

Status serve_or_work(const ServeFlags& flags) {
  if (std::error_code ignored; !flags.store.empty() && !fs::is_directory(flags.store, ignored)) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "expected a folder of runs, found none",
                 .file = flags.store};
  }
  if (flags.check_runs && flags.store.empty()) {
    return usage_error("--check-runs needs a STORE");
  }
  if (flags.is_worker && (flags.check_runs || !retention_of(flags).keeps_all())) {
    return usage_error("--keep, --keep-count and --check-runs are for services, not for --worker");
  }
  ELAPID_ASSIGN_OR_RETURN(http::ServerOptions options, server_options(flags));
  ELAPID_ASSIGN_OR_RETURN(const ServeLimits limits, limits_of(flags));
  ELAPID_ASSIGN_OR_RETURN(const StateFolder state, !flags.queue.empty() && flags.state.empty()
                                                       ? StateFolder::open_any()
                                                       : StateFolder::open(flags.state));
  ServiceParts parts = {.door = served_checks(limits.check, limits.jobs)};
  ::mallopt(M_ARENA_MAX, kArenas);
  ELAPID_RETURN_IF_ERROR(open_stores(flags, state, parts));
  if (flags.is_worker) {
    return work_only(flags, limits, parts);
  }
  ELAPID_ASSIGN_OR_RETURN(const http::StreamSettings settings, stream_settings(flags, state));
  ELAPID_ASSIGN_OR_RETURN(parts.streams, http::Streams::open(settings));
  return serve_requests(flags, std::move(options), limits, parts);
}

}  // namespace

Result<ExitCode> serve(const ServeFlags& flags) {
  catch_termination();
  ELAPID_RETURN_IF_ERROR(serve_or_work(flags));
  return ExitCode::kOk;
}

}  // namespace elapid
