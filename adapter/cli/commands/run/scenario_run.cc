#include "adapter/cli/commands/run/scenario_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "adapter/cli/commands/run/run_folder.h"
#include "adapter/cli/commands/run/scenario_report.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/progress.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/elle/file_output.h"
#include "engine/ir/visible.h"
#include "harness/drive/drivers.h"
#include "harness/process/scratch_folder.h"
#include "harness/scenario/expectation.h"
#include "harness/scenario/performance_history.h"
#include "harness/scenario/play.h"
#include "harness/scenario/scenario_reader.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// The files, and the files `*.scenario` of each folder, sorted by name.
Result<std::vector<std::string>> scenario_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (auto at = fs::directory_iterator(path, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
      if (at->path().extension() == ".scenario") {
        found.push_back(at->path().string());
      }
    }
    if (error || found.empty()) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = error ? error.message() : "no file *.scenario is in it",
                   .file = path};
    }
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// The request, with files, driver and levels looked up.
struct ScenarioRequest {
  std::vector<std::string> files = {};
  const Driver* driver = nullptr;
  DatabaseRequest database = {};  ///< but for its level and folder
  std::vector<std::string> levels = {};
  ModelSet demanded = {};  ///< beside what is expected
  bool is_quiet = false;
};

Result<ScenarioRequest> scenario_request(const RunFlags& flags) {
  if (!flags.exec.empty()) {
    return usage_error("a program carries out whole transactions, not the steps of a scenario");
  }
  if (flags.db.empty()) {
    return usage_error("say which database: --db ADDRESS, as sqlite: (see elapid run --list)");
  }
  ScenarioRequest request = {.is_quiet = flags.check.quiet};
  ELAPID_ASSIGN_OR_RETURN(request.files, scenario_files(flags.scenarios));
  ELAPID_ASSIGN_OR_RETURN(Addressee database, find_addressee(flags.db));
  request.driver = database.driver;
  request.database.uri = std::move(database.uri);
  const DriverInfo& info = request.driver->info();
  for (const DriverLevel& level : info.levels) {
    if (flags.isolation == "all" || (flags.isolation.empty() && request.levels.empty())) {
      request.levels.emplace_back(level.name);
    }
  }
  if (request.levels.empty()) {
    request.levels = {flags.isolation};
  }
  for (const std::string& level : request.levels) {
    request.database.level = level;
    ELAPID_RETURN_IF_ERROR(check_database(info, request.database));
  }
  const Result<std::chrono::milliseconds> patience = parse_duration(flags.patience);
  if (!patience) {
    return usage_error("--patience: " + patience.error().message);
  }
  request.database.patience = patience.value();
  ELAPID_ASSIGN_OR_RETURN(
      request.demanded,
      parse_models(flags.check.consistency_models.empty() ? "none" : flags.check.consistency_models,
                   false));
  return request;
}

class ScenarioRun {
 public:
  ScenarioRun(ScenarioRequest request, std::vector<Scenario> scenarios, RunFolder folder)
      : request_(std::move(request)),
        scenarios_(std::move(scenarios)),
        folder_(std::move(folder)) {}

  Result<ExitCode> operator()() {
    catch_interrupt();
    catch_termination();
    progress_.stage(folder_.path(), "starts a server");
    Result<std::optional<PrivateServer>> server =
        start_own_server(*request_.driver, request_.database.uri);
    progress_.clear();
    ELAPID_RETURN_IF_ERROR(server);
    for (const Scenario& scenario : scenarios_) {
      if (Status played = play(scenario); !played.ok()) {
        progress_.clear();
        return interrupted() ? Result<ExitCode>(ExitCode::kInterrupted) : played.error();
      }
    }
    progress_.clear();
    return tell();
  }

 private:
  [[nodiscard]] bool is_alone() const {
    return scenarios_.size() == 1 && request_.levels.size() == 1 &&
           scenarios_.front().orders.size() == 1;
  }

  /// Whether one scenario runs at one level: then the report shows each order's outcome.
  [[nodiscard]] bool has_orders() const {
    return scenarios_.size() == 1 && request_.levels.size() == 1 && !is_alone();
  }

  /// Performs the scenario at each level.
  Status play(const Scenario& scenario) {
    ScenarioRow row = {.name = scenario.name};
    for (const std::string& level : request_.levels) {
      if (scenarios_.size() > 1 && scenario.has_rows() && !request_.driver->info().has_rows) {
        row.cells.emplace_back("no rows");  // the database can perform the other scenarios
        continue;
      }
      ELAPID_ASSIGN_OR_RETURN(std::vector<Played> orders, play_at(scenario, level));
      const bool is_as_expected = compare(scenario, level, orders);
      row.cells.push_back(cell_text(orders) + (is_as_expected ? "" : " !"));
      if (is_alone()) {
        steps_ = steps_text(scenario, orders.front().performance);
      } else if (has_orders()) {
        steps_ = orders_text(scenario, orders);
      }
    }
    rows_.push_back(std::move(row));
    return {};
  }

  Result<std::vector<Played>> play_at(const Scenario& scenario, const std::string& level) {
    ELAPID_ASSIGN_OR_RETURN(ScratchFolder scratch, ScratchFolder::create());
    DatabaseRequest wanted = request_.database;
    wanted.level = level;
    wanted.sessions = scenario.sessions.size() + 1;
    wanted.scratch = scratch.path();
    wanted.has_lists = scenario.script.has_lists();
    ELAPID_ASSIGN_OR_RETURN(Stage stage, Stage::open(*request_.driver, wanted, scenario));
    if (database_.empty()) {
      database_ = database_text(request_.driver->info(), stage.facts());
    }
    ModelSet models = levels_expected(scenario) | request_.demanded;
    if (const Result<Model> promised = parse_model(level)) {
      models.set(promised.value());
    }
    std::vector<Played> played;
    for (std::size_t i = 0; i < scenario.orders.size(); ++i) {
      progress_.stage(scenario.name,
                      fmt::format("{}, order {} of {}", level, i + 1, scenario.orders.size()));
      ELAPID_ASSIGN_OR_RETURN(
          Performance performance,
          stage.play(scenario.orders[i],
                     {.patience = request_.database.patience, .is_cancelled = interrupted}));
      const std::string history = history_text(scenario, performance);
      ELAPID_RETURN_IF_ERROR(keep(scenario, level, i, history));
      ELAPID_ASSIGN_OR_RETURN(Judgement judgement, judge(scenario, history, models));
      played.push_back({std::move(performance), std::move(judgement)});
    }
    return played;
  }

  Status keep(const Scenario& scenario, const std::string& level, std::size_t order,
              const std::string& history) {
    const std::string number = scenario.orders.size() == 1 ? "" : fmt::format("-{:03}", order + 1);
    last_file_ = fmt::format("{}/{}/{}{}.edn", folder_.path(), level, scenario.name, number);
    return write_file(last_file_, history);
  }

  /// Whether the outcome is as the file expects, or as the level promises if the file expects
  /// nothing, and demanded levels hold. Notes each deviation.
  bool compare(const Scenario& scenario, const std::string& level,
               const std::vector<Played>& orders) {
    const ScenarioVenue venue = {request_.driver->info(), request_.database.uri, level};
    const std::string where = scenario.name + " at " + level;
    const std::size_t before = notes_.size();
    bool is_expected = false;
    for (const Expectation& expectation : scenario.expectations) {
      if (!applies(expectation, venue)) {
        continue;
      }
      is_expected = true;
      if (const std::string found = what_else(expectation, scenario, orders); !found.empty()) {
        notes_ += fmt::format("{}: expected {} (line {}), but {}\n", where, expectation.text,
                              expectation.line, found);
        code_ = combine(code_, ExitCode::kInvalid);
      }
    }
    ModelSet demanded = request_.demanded;
    if (const Result<Model> promised = parse_model(level); promised && !is_expected) {
      demanded.set(promised.value());
    }
    for (std::size_t m = 0; m < kModelCount; ++m) {
      const auto model = static_cast<Model>(m);
      if (demanded.test(model)) {
        compare(where, model, orders);
      }
    }
    return notes_.size() == before;
  }

  void compare(const std::string& where, Model model, const std::vector<Played>& orders) {
    for (const Played& played : orders) {
      const auto found = played.judgement.levels.find(model);
      if (found == played.judgement.levels.end() && !request_.demanded.test(model)) {
        return;  // a single scenario does not decide this level
      }
      const Validity validity =
          found == played.judgement.levels.end() ? Validity::kUnknown : found->second;
      code_ = combine(code_, exit_code(validity));
      if (validity != Validity::kValid) {
        notes_ += fmt::format("{}: {} {}\n", where, friendly_name(model),
                              validity == Validity::kInvalid ? "is violated" : "is not decided");
        return;
      }
    }
  }

  Result<ExitCode> tell() {
    folder_.keep();
    const std::string table = table_text(request_.levels, rows_);
    const std::string title =
        fmt::format("{}: {}\n", visible_line(folder_.path()), visible_line(database_));
    const Status written =
        write_file(folder_.path() + "/scenarios.md",
                   database_ + "\n\n" + table + (has_orders() ? "\n" + steps_ : "") + notes_);
    ELAPID_RETURN_IF_ERROR(written);
    if (!request_.is_quiet) {
      print_notes(title);
    }
    if (is_alone()) {
      const Scenario& scenario = scenarios_.front();
      print_text(
          visible(fmt::format("{} on {} at {}\n{}{}\n", scenario.name, database_,
                              request_.levels.front(), steps_, rows_.front().cells.front())));
    } else {
      print_text(visible((has_orders() ? steps_ : "") + table));
    }
    print_text(visible(notes_));
    return code_;
  }

  ScenarioRequest request_;
  std::vector<Scenario> scenarios_;
  RunFolder folder_;
  Progress progress_ = Progress(request_.is_quiet);
  std::string database_ = {};
  std::string last_file_ = {};
  std::vector<ScenarioRow> rows_ = {};
  std::string steps_ = {};  // of the only performance
  std::string notes_ = {};  // outcomes that were not expected
  ExitCode code_ = ExitCode::kOk;
};

}  // namespace

Result<ExitCode> run_scenarios(const RunFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(ScenarioRequest request, scenario_request(flags));
  std::vector<Scenario> scenarios;
  for (const std::string& file : request.files) {
    ELAPID_ASSIGN_OR_RETURN(Scenario scenario, read_scenario(file));
    scenarios.push_back(std::move(scenario));
  }
  const std::string name =
      !flags.name.empty() ? flags.name
      : scenarios.size() == 1
          ? fmt::format("{}-{}", request.driver->info().name, scenarios.front().name)
          : fmt::format("{}-scenarios", request.driver->info().name);
  ELAPID_ASSIGN_OR_RETURN(RunFolder folder,
                          RunFolder::create(flags.store, name, std::chrono::system_clock::now()));
  return ScenarioRun(std::move(request), std::move(scenarios), std::move(folder))();
}

}  // namespace elapid
