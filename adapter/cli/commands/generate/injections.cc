#include "adapter/cli/commands/generate/injections.h"

#include <algorithm>
#include <utility>

#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/terminal.h"
#include "harness/generate/store/store_kind.h"
#include "harness/generate/workloads/workload_table.h"
#include "parsers/bytes/output.h"

namespace elapid {

namespace {

/// How many events there will be, about: those of transactions, of which there may be fewer if
/// operations are counted.
std::uint64_t expected_events(const SimulationOptions& clients) {
  constexpr std::uint64_t kEventsOfTxn = 2;
  const std::uint64_t txns = clients.operations == 0
                                 ? clients.transactions
                                 : std::min(clients.transactions, clients.operations / 2);
  return kEventsOfTxn * txns;
}

}  // namespace

Result<std::unique_ptr<Injector>> make_injector(EventSource& source, const std::string& wanted,
                                                const Recipe& recipe, bool timestamps) {
  const GeneratedWorkload& workload = *find_generated_workload(recipe.workload);
  if (!workload.workload.has_levels()) {
    return usage_error("nothing can be injected into the workload " + std::string(workload.name) +
                       ": anomalies are known of list-append, rw-register and rows, and faults "
                       "of single objects");
  }
  ELAPID_ASSIGN_OR_RETURN(std::vector<Injectable> parsed,
                          parse_injections(wanted, workload.workload));
  std::vector<Model> levels;  // that transactions ask for
  for (const StoreKind* const level : find_store(recipe.store)->mixes) {
    levels.push_back(level->keeps_of_lists.value());
  }
  for (Injectable& one : parsed) {
    if (!levels.empty() && !ask_for_levels(levels, one)) {
      return usage_error(one.name + " is not wrong at any levels by transaction");
    }
    if (!one.timestamps.empty() && (!timestamps || recipe.clients.clock_skew > 0)) {
      return usage_error(one.name +
                         " is a violation of timestamps: it needs --timestamps, and no "
                         "--clock-skew");
    }
  }
  return std::make_unique<Injector>(source, std::move(parsed),
                                    InjectorOptions{.seed = recipe.clients.seed,
                                                    .events = expected_events(recipe.clients),
                                                    .timestamps = timestamps});
}

std::vector<Injected> injected_faults(const std::vector<ToldFault>& told) {
  std::vector<Injected> injected;
  for (const ToldFault& fault : told) {
    injected.push_back({.anomaly = std::string(fault.name),
                        .first_index = fault.first_index,
                        .last_index = fault.last_index,
                        .first_process = fault.first_process,
                        .processes = fault.processes});
  }
  return injected;
}

Status write_injected(const std::string& out, const std::vector<Injected>& injected) {
  const std::string text = to_json(injected);
  if (out == "-") {
    print_notes(text);
    return {};
  }
  ELAPID_ASSIGN_OR_RETURN(OutputFile file, OutputFile::create(out + ".injected.json"));
  file << text;
  return file.commit();
}

}  // namespace elapid
