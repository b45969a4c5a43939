#include "adapter/cli/commands/run/matrix/matrix_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "adapter/cli/options/names.h"
#include "adapter/report/level_states.h"
#include "engine/check/rows_check.h"
#include "harness/drive/drivers.h"
#include "harness/generate/workloads/workload_table.h"
#include "harness/servers/server_kind.h"

namespace elapid {
namespace {

constexpr std::string_view kWorkloads = "list-append,mini,long-fork";

/// What is missing for a database that the user did not name; empty if it is available.
std::string missing(const KnownDriver& known) {
  if (const Result<const Driver*> driver = find_driver(known.name); !driver) {
    return driver.error().message;
  }
  const ServerKind* const server = server_of_driver(known.name);
  return server == nullptr || !server->program().empty()
             ? ""
             : fmt::format("{} has no server here (Debian package {})", known.name,
                           server->package);
}

std::vector<std::string> addresses_here(MatrixPlan& plan) {
  std::vector<std::string> addresses;
  for (const KnownDriver& known : known_drivers()) {
    if (known.name == "exec") {
      continue;
    }
    if (std::string why = missing(known); !why.empty()) {
      plan.left_out.push_back(std::move(why));
    } else {
      addresses.push_back(std::string(known.name) + ":");
    }
  }
  return addresses;
}

std::vector<std::string> listed(std::string_view list) {
  const std::vector<std::string_view> names = split_list(list);
  return {names.begin(), names.end()};
}

/// All levels of the driver, or with `pairs` each pair of levels that transactions may mix.
std::vector<std::string> all_levels(const DriverInfo& info, bool pairs) {
  std::vector<std::string> levels;
  for (std::size_t i = 0; i < info.levels.size(); ++i) {
    const std::string_view level = info.levels[i].name;
    if (!pairs) {
      levels.emplace_back(level);
    }
    for (std::size_t other = 0; pairs && info.has_level_by_txn && other < i; ++other) {
      levels.push_back(fmt::format("{}+{}", level, info.levels[other].name));
    }
  }
  return levels;
}

/// The levels that the user named, or all levels of the driver; `pairs` stands for all pairs.
std::vector<std::string> levels_of(const RunFlags& flags, const DriverInfo& info) {
  if (flags.isolation.empty()) {
    return all_levels(info, false);
  }
  std::vector<std::string> levels;
  for (std::string& level : listed(flags.isolation)) {
    if (level == "all" || level == "pairs") {
      std::ranges::move(all_levels(info, level == "pairs"), std::back_inserter(levels));
    } else {
      levels.push_back(std::move(level));
    }
  }
  return levels;
}

/// The level that clients ask for, with its model unless it is a mix. Error: kUsage.
Result<PromisedLevel> promised(const std::string& words) {
  if (words.find('+') != std::string::npos) {
    return PromisedLevel{words, std::nullopt};
  }
  const Result<Model> model = parse_model(words);
  return model ? Result<PromisedLevel>(PromisedLevel{words, model.value()}) : model.error();
}

/// The levels of the chart and the level that clients ask for; with rows, those that are decided
/// for rows.
std::string demanded(const RunFlags& flags, const std::string& level, bool is_of_rows) {
  if (!flags.check.consistency_models.empty()) {
    return flags.check.consistency_models;
  }
  std::string names = is_of_rows ? "" : level;
  for (const Model model : levels_of_chart()) {
    if (!is_of_rows || is_decided_for_rows(model)) {
      names += (names.empty() ? "" : ",") + std::string(friendly_name(model));
    }
  }
  return names;
}

/// Why a matrix leaves out a workload; empty if the workload fits.
std::string unfit(const GeneratedWorkload* workload, const DriverInfo& info) {
  if (workload == nullptr) {
    return "";  // the run itself reports the unknown name
  }
  if (workload->workload == Workload::kOther && workload->name != "set") {
    return std::string(workload->name) + " shows no levels";
  }
  return workload->workload == Workload::kRows && !info.has_rows
             ? fmt::format("{}: {} holds no rows of tables", workload->name, info.name)
             : "";
}

RunFlags flags_of(const RunFlags& all, const PlannedRun& run) {
  RunFlags flags = all;
  flags.db = run.address;
  flags.isolation = run.promised.name;
  flags.recipe.workload = run.workload;
  const GeneratedWorkload* const workload = find_generated_workload(run.workload);
  flags.check.consistency_models =
      demanded(all, run.promised.model ? run.promised.name : "",
               workload != nullptr && workload->workload == Workload::kRows);
  return flags;
}

/// The workloads that the database supports. `plan` notes why it leaves out the others.
std::vector<std::string> workloads_for(const RunFlags& flags, const DriverInfo& info,
                                       MatrixPlan& plan) {
  std::vector<std::string> fitting;
  for (const std::string& workload :
       listed(flags.recipe.workload.value_or(std::string(kWorkloads)))) {
    std::string why = unfit(find_generated_workload(workload), info);
    if (why.empty()) {
      fitting.push_back(workload);
    } else if (std::ranges::find(plan.left_out, why) == plan.left_out.end()) {
      plan.left_out.push_back(std::move(why));
    }
  }
  return fitting;
}

Status add_runs(const RunFlags& flags, const std::string& address, MatrixPlan& plan) {
  ELAPID_ASSIGN_OR_RETURN(const Addressee database, find_addressee(address));
  const DriverInfo& info = database.driver->info();
  const std::vector<std::string> workloads = workloads_for(flags, info, plan);
  for (const std::string& level : levels_of(flags, info)) {
    ELAPID_ASSIGN_OR_RETURN(const PromisedLevel asked, promised(level));
    for (const std::string& workload : workloads) {
      PlannedRun run = {.address = address, .promised = asked, .workload = workload};
      run.flags = flags_of(flags, run);
      plan.runs.push_back(std::move(run));
    }
  }
  return {};
}

}  // namespace

Result<MatrixPlan> matrix_plan(const RunFlags& flags) {
  MatrixPlan plan;
  const std::vector<std::string> addresses =
      flags.db.empty() ? addresses_here(plan) : listed(flags.db);
  for (const std::string& address : addresses) {
    ELAPID_RETURN_IF_ERROR(add_runs(flags, address, plan));
  }
  if (plan.runs.empty()) {
    return usage_error("nothing is to be run: " +
                       fmt::format("{}", fmt::join(plan.left_out, "; ")));
  }
  return plan;
}

}  // namespace elapid
