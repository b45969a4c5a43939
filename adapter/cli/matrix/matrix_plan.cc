#include "adapter/cli/matrix/matrix_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "adapter/cli/names.h"
#include "adapter/report/level_states.h"
#include "harness/drive/drivers.h"
#include "harness/servers/server_kind.h"

namespace elapid {
namespace {

constexpr std::string_view kWorkloads = "list-append,mini,long-fork";

/// What it takes to have a database that was not named; empty if it is here.
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

/// The levels that are asked of the driver: those that were named, or all that it has.
Result<std::vector<std::string>> levels_of(const RunFlags& flags, const std::string& address) {
  if (!flags.isolation.empty()) {
    return listed(flags.isolation);
  }
  const Result<DatabaseUri> uri = parse_database_uri(address);
  if (!uri) {
    return uri.error();
  }
  const Result<const Driver*> driver = find_driver(uri.value().scheme);
  if (!driver) {
    return driver.error();
  }
  std::vector<std::string> levels;
  for (const DriverLevel& level : driver.value()->info().levels) {
    levels.emplace_back(level.name);
  }
  return levels;
}

/// The levels of the chart, and the one that clients ask for.
std::string demanded(const RunFlags& flags, const std::string& level) {
  if (!flags.check.consistency_models.empty()) {
    return flags.check.consistency_models;
  }
  std::string names = level;
  for (const Model model : levels_of_chart()) {
    names += "," + std::string(friendly_name(model));
  }
  return names;
}

RunFlags flags_of(const RunFlags& all, const PlannedRun& run) {
  RunFlags flags = all;
  flags.db = run.address;
  flags.isolation = run.promised.name;
  flags.recipe.workload = run.workload;
  flags.check.consistency_models = demanded(all, run.promised.name);
  return flags;
}

}  // namespace

Result<MatrixPlan> matrix_plan(const RunFlags& flags) {
  MatrixPlan plan;
  const std::vector<std::string> addresses =
      flags.db.empty() ? addresses_here(plan) : listed(flags.db);
  if (addresses.empty()) {
    return usage_error("no database is here: " + fmt::format("{}", fmt::join(plan.left_out, "; ")));
  }
  for (const std::string& address : addresses) {
    const Result<std::vector<std::string>> levels = levels_of(flags, address);
    if (!levels) {
      return levels.error();
    }
    for (const std::string& level : levels.value()) {
      const Result<Model> model = parse_model(level);
      if (!model) {
        return model.error();
      }
      for (const std::string& workload :
           listed(flags.recipe.workload.value_or(std::string(kWorkloads)))) {
        PlannedRun run = {
            .address = address, .promised = {level, model.value()}, .workload = workload};
        run.flags = flags_of(flags, run);
        plan.runs.push_back(std::move(run));
      }
    }
  }
  return plan;
}

}  // namespace elapid
