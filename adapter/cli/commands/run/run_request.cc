#include "adapter/cli/commands/run/run_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

#include "adapter/cli/commands/run/faults.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/terminal/interrupt.h"
#include "engine/ir/integer_text.h"
#include "engine/levels/asked_levels.h"
#include "engine/workloads/table.h"
#include "harness/drive/drivers.h"
#include "harness/generate/generate.h"
#include "parsers/door/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace elapid {

namespace {

/// The length of a run without other limits.
constexpr std::chrono::seconds kRunTime{5};

/// Per cent of transactions that must commit: a run with fewer shows nothing.
constexpr std::size_t kLeastCommitted = 1;

Status take_duration(const std::string& text, std::string_view flag, auto& into) {
  if (text.empty()) {
    return {};
  }
  const Result<std::chrono::milliseconds> duration = parse_duration(text);
  if (!duration) {
    return usage_error(std::string(flag) + ": " + duration.error().message);
  }
  into = duration.value();
  return {};
}

Status take_rate(const std::string& text, double& into) {
  if (text.empty()) {
    return {};
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  const bool is_rate =
      error == std::errc() && end == text.data() + text.size() && into > 0 && into <= 1e9;
  return is_rate
             ? Status()
             : usage_error("--rate: expected transactions a second, as 500 or 0.5, found " + text);
}

Result<Addressee> addressee_of(const RunFlags& flags) {
  if (flags.db.empty() == flags.exec.empty()) {
    return usage_error(
        "say which database: --db ADDRESS, as rocksdb:, or --exec COMMAND (see elapid run --list)");
  }
  if (flags.exec.empty()) {
    return find_addressee(flags.db);
  }
  ELAPID_ASSIGN_OR_RETURN(const Driver* const driver, find_driver("exec"));
  return Addressee{.uri = {.text = "exec:" + flags.exec, .scheme = "exec", .address = flags.exec},
                   .driver = driver};
}

/// The level that clients ask for: the one of --isolation, else the demanded one, else the driver's
/// first one.
Result<LevelMix> isolation_of(const RunFlags& flags, const DriverInfo& info) {
  const std::string& demanded = flags.check.consistency_models;
  if (!flags.isolation.empty() || demanded.empty()) {
    return parse_level_mix(flags.isolation.empty() ? info.levels.front().name
                                                   : std::string_view(flags.isolation));
  }
  ELAPID_ASSIGN_OR_RETURN(const std::vector<NamedModel> models, parse_model_list(demanded, false));
  for (const NamedModel& wanted : models) {
    for (const DriverLevel& level : info.levels) {
      const Result<Model> model = parse_model(level.name);
      if (wanted.name == level.name || (model && model.value() == wanted.model)) {
        return parse_level_mix(level.name);
      }
    }
  }
  std::string message =
      std::string(info.name) + " is not asked for " + demanded + ": say --isolation";
  for (const DriverLevel& level : info.levels) {
    message += (&level == info.levels.data() ? " " : " or ") + std::string(level.name);
  }
  return usage_error(message + " as well");
}

Status take_times(const RunFlags& flags, RunRequest& request) {
  DriveOptions& drive = request.drive;
  for (Status status : {take_duration(flags.time, "--time", drive.time),
                        take_duration(flags.think, "--think", drive.think),
                        take_duration(flags.patience, "--patience", request.database.patience),
                        take_duration(flags.reconnect, "--reconnect", drive.reconnect),
                        take_rate(flags.rate, drive.rate)}) {
    ELAPID_RETURN_IF_ERROR(status);
  }
  // One attempt to connect takes no longer than all attempts may take.
  request.database.connect_patience =
      std::clamp(drive.reconnect, std::chrono::milliseconds(1), request.database.connect_patience);
  const bool is_limited = flags.recipe.transactions || flags.recipe.operations;
  if (!drive.time && !is_limited) {
    drive.time = kRunTime;
  }
  return {};
}

Status take_faults(const RunFlags& flags, RunRequest& request) {
  if (flags.faults.empty()) {
    return {};
  }
  Result<std::vector<std::string>> faults = parse_faults(flags.faults);
  if (!faults) {
    return usage_error("--faults: " + faults.error().message);
  }
  request.faults = std::move(faults).value();
  if (Status taken =
          take_duration(flags.fault_interval, "--fault-interval", request.fault_interval);
      !taken.ok()) {
    return taken;
  }
  return request.own_server() != nullptr
             ? Status()
             : usage_error(
                   "--faults need a server that the run starts: --db postgres:, mariadb: or redis: "
                   "without an address");
}

Status take_recipe(const RunFlags& flags, RunRequest& request) {
  ELAPID_ASSIGN_OR_RETURN(request.recipe, recipe_of(flags.recipe));
  // Checks the workload's name and numbers.
  ELAPID_RETURN_IF_ERROR(make_requests(request.recipe));
  for (const auto& [flag, limit] : {std::pair{"--transactions", flags.recipe.transactions},
                                    std::pair{"--operations", flags.recipe.operations}}) {
    if (limit == 0U) {
      return usage_error(std::string(flag) + ": expected at least 1, found 0");
    }
  }
  request.workload = find_generated_workload(request.recipe.workload);
  request.limits = {.transactions = flags.recipe.transactions.value_or(0),
                    .operations = flags.recipe.operations.value_or(0)};
  request.drive.sessions = request.database.sessions = request.recipe.clients.sessions;
  request.drive.retries = request.recipe.clients.retries;
  request.drive.loads = request.recipe.clients.loads;
  request.drive.final_reads = !flags.no_final_reads;
  return {};
}

Status take_database(const RunFlags& flags, RunRequest& request) {
  ELAPID_ASSIGN_OR_RETURN(Addressee addressee, addressee_of(flags));
  request.driver = addressee.driver;
  ELAPID_ASSIGN_OR_RETURN(request.isolation, isolation_of(flags, request.driver->info()));
  request.database.uri = std::move(addressee.uri);
  request.database.level = request.isolation.levels.front();
  if (!request.isolation.is_one()) {
    request.database.mix = request.isolation.levels;
    for (const std::string& level : request.isolation.levels) {
      request.level_fields.push_back({"isolation", PlainTree::keyword(level)});
    }
  }
  request.database.has_lists = request.workload->has_lists;
  request.database.has_rows = request.workload->workload == Workload::kRows;
  request.database.depends_on_reads = request.workload->depends_on_reads;
  return check_database(request.driver->info(), request.database);
}

/// Takes from the request what the recorded history does not tell: the workload, and a bank's
/// total.
void take_what_history_does_not_tell(RunRequest& request) {
  if (request.workload->workload != Workload::kOther) {
    return;
  }
  if (!request.workload->is_told) {
    request.check.job.read.workload = find_workload(request.workload->name);
  }
  std::optional<std::int64_t>& total = request.check.job.check.settings.total_amount;
  const auto requests = make_requests(request.recipe);
  if (request.workload->name == "bank" && !total && requests) {
    total = 0;
    for (const RequestStep& write : requests.value()->initial_writes()) {
      *total += write.value;
    }
  }
}

/// `mariadb` if that was asked for or started; its driver has another name.
std::string name_of_database(const RunRequest& request) {
  const ServerKind* const own = request.own_server();
  return own != nullptr ? std::string(own->name) : request.database.uri.scheme;
}

}  // namespace

const ServerKind* RunRequest::own_server() const {
  return own_server_kind(*driver, database.uri);
}

Result<RunRequest> run_request(const RunFlags& flags) {
  RunRequest request = {
      .store = flags.store, .timestamps = flags.timestamps, .online = flags.online};
  for (const auto& take : {take_recipe, take_database, take_times, take_faults}) {
    ELAPID_RETURN_IF_ERROR(take(flags, request));
  }
  CheckFlags check = flags.check;
  if (!request.workload->workload.has_levels()) {
    check.consistency_models.clear();
  } else if (check.consistency_models.empty()) {
    check.consistency_models =
        request.isolation.is_one() ? request.database.level : "by-transaction";
  }
  if (request.timestamps && request.driver->info().order.empty()) {
    return usage_error(std::string(request.driver->info().name) + " has no order of its own");
  }
  if (request.online && !request.workload->workload.has_levels()) {
    return usage_error("--online is for workloads that have levels");
  }
  request.requires_coverage = flags.require_coverage;
  if (flags.require_coverage) {
    check.fail_on += check.fail_on.empty() ? "vacuous" : ",vacuous";
  }
  ELAPID_ASSIGN_OR_RETURN(request.check, check_request(check));
  take_what_history_does_not_tell(request);
  request.levels = check.consistency_models;
  if (request.check.least_contention && flags.check.least_contention.empty()) {
    request.check.least_contention->committed_percent = kLeastCommitted;
    if (request.workload->name == "long-fork") {
      request.check.least_contention->keys_of_many_writers = 0;  // each key is written once
    }
  }
  share_threads(1, request.check);
  request.name = flags.name.empty()
                     ? name_of_database(request) + '-' + std::string(request.workload->name) + '-' +
                           request.isolation.name()
                     : flags.name;
  return request;
}

void add_run_flags(Options& options, RunFlags& flags) {
  options.note_given(flags.given);
  options
      .value("--db", "ADDRESS", flags.db, "The database, as rocksdb: or sqlite:test.db?journal=wal")
      .proposes({"mariadb:", "postgres:", "redis:", "rocksdb:", "sqlite:"});
  options
      .value("--exec", "COMMAND", flags.exec,
             "Instead of --db: a program in any language that runs the transactions of a session")
      .excludes("--db");
  options
      .value("--isolation", "LEVELS", flags.isolation,
             "The level that clients ask the database for (default: the one of -c), or one by "
             "transaction with its share: 'serializable:30,read committed:70'")
      .proposes({"read-uncommitted", "read-committed", "repeatable-read", "snapshot-isolation",
                 "serializable", "strict-serializable", "all"});
  options
      .values("--scenario", "PATH", flags.scenarios,
              "Instead of a workload: steps of several sessions in a given order "
              "(docs/scenarios.md), a file or a folder; may be repeated. --isolation all plays "
              "them at all levels")
      .excludes("--matrix");
  options.flag("--list", flags.lists, "All databases, what they can do, and all workloads");
  options
      .flag("--matrix", flags.matrix,
            "Compare promised with observed levels of several databases: lists of --db (default: "
            "all that are installed), --isolation (all levels; pairs: all pairs of them, by "
            "transaction) and -m (list-append,mini,long-fork)")
      .excludes("--exec");
  add_request_flags(options, flags.recipe);
  options.at("--transactions").means("N", "End after N transactions");
  options.at("--operations").means("N", "Begin no transaction after N operations");
  options.at("--seed").means("N", "The same seed makes the same requests (default: a random seed)");
  options.flag("--no-final-reads", flags.no_final_reads, "Do not read everything in the end");

  options.begin_group("How fast");
  options.value(
      "--time", "DURATION", flags.time,
      "End after this (default 5s, unless a number of transactions or operations is given)");
  options.value("--rate", "N", flags.rate,
                "Transactions begun a second (default: as many as the database carries out)");
  options.value("--think", "DURATION", flags.think,
                "Time that a session waits after each transaction");
  options.number("--retries", "N", flags.recipe.retries,
                 "How often a client tries again what the database has aborted (default 0)");
  options.value("--patience", "DURATION", flags.patience,
                "How long a lock or an answer is waited for (default 1s)");
  options.value("--reconnect", "DURATION", flags.reconnect,
                "How long a database that takes no connection is waited for (default 30s)");

  options.begin_group("What to do to the database");
  options.value(
      "--faults", "LIST", flags.faults,
      "Faults of a server that the run starts itself, comma-separated: kill, pause, restart");
  options.value("--fault-interval", "DURATION", flags.fault_interval,
                "From one fault to the next, on average (default 2s)");

  options.begin_group("What to record");
  options.value("--store", "DIR", flags.store,
                "Where runs are kept: DIR/NAME/TIME/history.edn (default store)");
  options.value("--name", "NAME", flags.name,
                "Name of the run (default: database, workload and level)");
  options.flag(
      "--timestamps", flags.timestamps,
      "Write transactions.jsonl too, with the database's own order, for --engine timestamps");
  options.flag("--online", flags.online, "Check while it runs, and end at the first violation");

  add_question_flags(options, flags.check);
  add_answer_flags(options, flags.check);
  options.at("--consistency-models")
      .means("NAMES",
             "Levels to demand: comma-separated, none, or all (default: the one that clients ask "
             "for)");
  options
      .flag("--require-coverage", flags.require_coverage,
            "A verdict is unknown where clients hardly met: less than --least-contention (default "
            "true)")
      .true_or_false();
  options.at("--directory").means("DIR", "Where evidence goes (default: elle in the run's folder)");
}

namespace {

/// The number of levels that Request::level can hold.
constexpr std::size_t kMostLevels = std::numeric_limits<std::uint8_t>::max() + std::size_t{1};

Status take_part(std::string_view part, LevelMix& mix) {
  const std::size_t colon = part.find(':');
  const std::string level = in_our_words(std::string(part.substr(0, colon)));
  const std::uint32_t share = colon == std::string_view::npos
                                  ? 1
                                  : integer_of<std::uint32_t>(part.substr(colon + 1)).value_or(0);
  if (share == 0) {
    return usage_error(
        fmt::format("--isolation: expected a share as serializable:30, found {}", part));
  }
  if (level.empty() || std::ranges::find(mix.levels, level) != mix.levels.end()) {
    return usage_error(
        level.empty()
            ? "--isolation: expected a level, found nothing"
            : fmt::format("--isolation: expected each level once, found {} twice", level));
  }
  mix.levels.push_back(level);
  mix.shares.push_back(share);
  return mix.levels.size() <= kMostLevels ? Status()
                                          : usage_error("--isolation: expected fewer levels");
}

}  // namespace

std::string LevelMix::name() const {
  return fmt::format("{}", fmt::join(levels, "+"));
}

std::string LevelMix::text() const {
  std::string text;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    text += i == 0 ? "" : ",";
    text += is_one() ? levels[i] : fmt::format("{}:{}", levels[i], shares[i]);
  }
  return text;
}

Result<LevelMix> parse_level_mix(std::string_view text) {
  std::string list(text);
  std::ranges::replace(list, '+', ',');
  LevelMix mix;
  for (const std::string_view part : split_list(list)) {
    ELAPID_RETURN_IF_ERROR(take_part(part, mix));
  }
  return mix.levels.empty() ? Result<LevelMix>(usage_error("--isolation: expected a level"))
                            : Result<LevelMix>(std::move(mix));
}

const ServerKind* own_server_kind(const Driver& driver, const DatabaseUri& uri) {
  static constexpr std::array<std::string_view, 3> kPlaces = {"host", "port", "socket"};
  const bool has_place = std::ranges::any_of(
      kPlaces, [&](std::string_view place) { return !uri.parameter(place, "").empty(); });
  return uri.address.empty() && !has_place ? server_of_driver(driver.info().name) : nullptr;
}

Result<std::optional<PrivateServer>> start_own_server(const Driver& driver, DatabaseUri& uri) {
  const ServerKind* const kind = own_server_kind(driver, uri);
  if (kind == nullptr) {
    return std::optional<PrivateServer>();
  }
  ELAPID_ASSIGN_OR_RETURN(PrivateServer server,
                          PrivateServer::start(*kind, {.is_cancelled = interrupted}));
  ELAPID_ASSIGN_OR_RETURN(DatabaseUri its, parse_database_uri(server.uri()));
  std::ranges::move(uri.parameters, std::back_inserter(its.parameters));
  uri = std::move(its);
  return std::optional<PrivateServer>(std::move(server));
}

}  // namespace elapid
