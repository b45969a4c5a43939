// elapid generate: makes a history of a simulated database or object, from a seed.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/generate/recipe_flags.h"
#include "adapter/cli/commands/generate/separation.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/progress.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/ir/result.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "harness/generate/event_output.h"
#include "harness/generate/generate.h"
#include "harness/generate/objects/object_simulation.h"
#include "harness/generate/presets.h"
#include "harness/generate/store/store_kind.h"
#include "harness/generate/workloads/workload_table.h"
#include "harness/inject/injector.h"
#include "parsers/bytes/output.h"
#include "parsers/formats.h"

namespace elapid {
namespace {

// `elapid generate --inject`: puts anomalies into the history of the simulated database, or faults
// into that of the simulated object, and lists them.

/// The expected number of events: those of all transactions. With a limit of operations there may
/// be fewer.
std::uint64_t expected_events(const SimulationOptions& clients) {
  constexpr std::uint64_t kEventsOfTxn = 2;
  const std::uint64_t txns = clients.operations == 0
                                 ? clients.transactions
                                 : std::min(clients.transactions, clients.operations / 2);
  return kEventsOfTxn * txns;
}

/// Adds the anomalies that `wanted` names (injectable.h) to the events of `source`. Error: kUsage
/// for an unknown name, for a workload without levels, and for violations of timestamps where the
/// history has none or clocks differ.
Result<std::unique_ptr<Injector>> make_injector(EventSource& source, const std::string& wanted,
                                                const Recipe& recipe, bool timestamps) {
  const GeneratedWorkload& workload = *find_generated_workload(recipe.workload);
  if (!workload.workload.has_levels()) {
    return usage_error(
        "nothing can be injected into the workload " + std::string(workload.name) +
        ": anomalies exist for list-append, rw-register and rows, and faults for single objects");
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

/// The faults of an object, as the clients reported them, in the form of injected anomalies.
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

/// Writes the list as `OUT.injected.json` beside the output, or on standard error if the output is
/// standard output. Error: kUnreadable if it cannot be written.
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

struct GenerateFlags {
  RecipeFlags recipe = {};
  SeparationFlags separation = {};
  std::string injections = {};
  std::string format = {};
  std::string out = {};
  bool timestamps = false;
  bool lists = false;
};

/// The output's format: from --format, else from the output's name; EDN on standard output.
Result<const Target*> target_of(const GenerateFlags& flags) {
  if (flags.format.empty()) {
    const Target* target = target_of_extension(flags.out == "-" ? "-.edn" : flags.out);
    return target != nullptr
               ? Result<const Target*>(target)
               : usage_error("the name " + flags.out + " does not tell a format: say --format");
  }
  ELAPID_ASSIGN_OR_RETURN(const FormatName format, parse_format(flags.format));
  const Target* target = find_target(format);
  return target != nullptr
             ? Result<const Target*>(target)
             : usage_error("the format " + flags.format + " can be read, but not written");
}

Status check_timestamps(const GenerateFlags& flags, const Target& target) {
  if (flags.timestamps && !target.timestamps) {
    return usage_error(text(target) + " holds no timestamps");
  }
  if (flags.recipe.clock_skew && !flags.timestamps && !target.needs_timestamps) {
    return usage_error("--clock-skew is for histories with timestamps: say --timestamps");
  }
  return {};
}

template <class Rows>
std::string table(std::string_view heading, const Rows& rows) {
  std::string lines = fmt::format("{}\n", heading);
  for (const auto& row : rows) {
    lines += fmt::format("  {:<34}{}\n", row.name, row.about);
  }
  return lines;
}

ExitCode print_lists() {
  std::string lists = table("Stores (-c):", store_kinds()) + '\n' +
                      table("Workloads (-m):", generated_workloads()) + '\n' +
                      table("Presets (--preset):", presets());
  for (const ObjectType& type : object_types()) {
    lists += '\n' + table(fmt::format("Faults of {} (--inject):", type.name), type.faults);
  }
  print_text(lists);
  return ExitCode::kOk;
}

EventOutline outline_of(const Recipe& recipe, bool timestamps) {
  const GeneratedWorkload& workload = *find_generated_workload(recipe.workload);
  const StoreKind& store = *find_store(recipe.store);
  const Faults& faults = recipe.clients.faults;
  const std::size_t keys = recipe.requests.keys == 0 ? workload.keys : recipe.requests.keys;
  return {.workload = workload.workload,
          .repeats = !workload.workload.has_lists() && recipe.requests.values > 0,
          .indeterminate = faults.indeterminate > 0 || faults.crashes > 0 || store.loses_tail,
          .one_key = keys == 1,
          .timestamps = timestamps};
}

/// What was generated, and the command that generates it again.
std::string summary(const std::string& out, const Recipe& recipe, const SimulationCounts& counts) {
  const std::uint64_t attempts = counts.transactions + counts.retried;
  const std::uint64_t aborted = counts.aborted_by_store + counts.aborted_by_client + counts.retried;
  const double rate =
      attempts == 0 ? 0 : 100.0 * static_cast<double>(aborted) / static_cast<double>(attempts);
  return fmt::format(
      "{}: {} of {}, seed {}\n"
      "{} transactions with {} operations: {} committed, {} aborted by the database, {} by "
      "clients, {} indeterminate; {} tried again; abort rate {:.1f} %\n",
      visible_line(out), recipe.workload, find_store(recipe.store)->name, recipe.clients.seed,
      with_commas(counts.transactions), with_commas(counts.operations),
      with_commas(counts.committed), with_commas(counts.aborted_by_store),
      with_commas(counts.aborted_by_client), with_commas(counts.indeterminate),
      with_commas(counts.retried), rate);
}

std::string summary_of_object(const std::string& out, const Recipe& recipe,
                              const SimulationCounts& counts) {
  return fmt::format(
      "{}: {} of a simulated object, seed {}\n"
      "{} operations: {} returned, {} failed, {} indeterminate\n",
      visible_line(out), recipe.workload, recipe.clients.seed, with_commas(counts.operations),
      with_commas(counts.committed),
      with_commas(counts.aborted_by_store + counts.aborted_by_client),
      with_commas(counts.indeterminate));
}

std::string notes_of(const std::string& out, const Target& target, const WrittenEvents& written,
                     const SimulationCounts& counts) {
  std::string notes;
  for (const Loss& loss : written.losses) {
    if (loss.changes_verdict) {
      notes += fmt::format("{}: {} {}: {} {}\n", visible_line(out), loss.letter,
                           loss.is_made_up() ? "made up" : "lost", loss.count, loss.what);
    }
  }
  const std::uint64_t aborted = counts.aborted_by_store + counts.aborted_by_client;
  if (written.losses.empty() && !target.aborted && !target.aborted_writes && aborted > 0) {
    notes +=
        fmt::format("{}: A lost: {} aborted transactions left out\n", visible_line(out), aborted);
  }
  return notes;
}

/// Shows how far the simulation is, and ends it when that is wanted.
class Watcher {
 public:
  Watcher(ClientSimulation& simulation, const Recipe& recipe, const std::string& out)
      : simulation_(simulation), recipe_(recipe), out_(out) {}

  void look() {
    const SimulationOptions& clients = recipe_.clients;
    const bool counts_operations = clients.operations > 0;
    const Portion done = {.done = counts_operations ? simulation_.counts().operations
                                                    : simulation_.counts().transactions,
                          .total = counts_operations ? clients.operations : clients.transactions,
                          .unit = counts_operations ? "operations" : "transactions"};
    if (!progress_.stage(out_, progress_bar(done, std::chrono::steady_clock::now() - begun_))) {
      simulation_.stop();
    }
  }

  void finish() { progress_.clear(); }

 private:
  ClientSimulation& simulation_;
  const Recipe& recipe_;
  const std::string& out_;
  Progress progress_ = Progress(false);
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// The clients, and the injector among their events.
struct Sources {
  std::unique_ptr<ClientSimulation> clients = {};
  const ObjectSimulation* object = nullptr;  ///< the clients, if they use an object
  std::unique_ptr<Injector> injector = {};  ///< null: nothing to inject, or clients make the faults

  [[nodiscard]] EventSource& events() const {
    return injector ? static_cast<EventSource&>(*injector) : *clients;
  }

  [[nodiscard]] std::vector<Injected> injected() const {
    return object != nullptr ? injected_faults(object->told()) : injector->injected();
  }
};

Result<Sources> sources_of_object(const GenerateFlags& flags, const Recipe& recipe) {
  if (flags.timestamps) {
    return usage_error(
        fmt::format("--timestamps does not apply to -m {}: an object has none", recipe.workload));
  }
  std::vector<WantedFault> wanted;
  if (!flags.injections.empty()) {
    ELAPID_ASSIGN_OR_RETURN(
        wanted, parse_object_faults(flags.injections, *find_object_type(recipe.workload)));
  }
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<ObjectSimulation> made,
                          make_object_simulation(recipe, wanted));
  Sources sources;
  sources.object = made.get();
  sources.clients = std::move(made);
  return sources;
}

Result<Sources> sources_of(const GenerateFlags& flags, const Recipe& recipe) {
  if (is_of_object(recipe.workload, !flags.injections.empty())) {
    return sources_of_object(flags, recipe);
  }
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<Simulation> made, make_simulation(recipe));
  Sources sources = {.clients = std::move(made)};
  if (!flags.injections.empty()) {
    ELAPID_ASSIGN_OR_RETURN(sources.injector, make_injector(*sources.clients, flags.injections,
                                                            recipe, flags.timestamps));
  }
  return sources;
}

Result<ExitCode> generate(const GenerateFlags& flags, const Target& target) {
  ELAPID_ASSIGN_OR_RETURN(const Recipe recipe, recipe_of(flags.recipe, !flags.injections.empty()));
  ELAPID_ASSIGN_OR_RETURN(const Sources made, sources_of(flags, recipe));
  ELAPID_RETURN_IF_ERROR(check_timestamps(flags, target));
  const Sources& sources = made;
  catch_interrupt();
  Watcher watcher(*sources.clients, recipe, flags.out);
  const Result<WrittenEvents> written =
      write_events(sources.events(), {.target = &target,
                                      .path = flags.out,
                                      .outline = outline_of(recipe, flags.timestamps),
                                      .progress = [&](std::uint64_t) { watcher.look(); }});
  watcher.finish();
  if (!written) {
    Error error = written.error();
    error.file = error.file.empty() && flags.out != "-" ? flags.out : error.file;
    return error;
  }
  std::string notes = (sources.object != nullptr ? summary_of_object : summary)(
      flags.out, recipe, sources.clients->counts());
  if (!flags.injections.empty()) {
    const std::vector<Injected> injected = sources.injected();
    ELAPID_RETURN_IF_ERROR(write_injected(flags.out, injected));
    notes += fmt::format("{} {} injected\n", injected.size(),
                         sources.object != nullptr ? "faults" : "anomalies");
  }
  print_notes(notes + notes_of(flags.out, target, written.value(), sources.clients->counts()));
  return interrupted() ? ExitCode::kInterrupted : ExitCode::kOk;
}

Result<ExitCode> run_generate(const GenerateFlags& flags) {
  if (flags.lists) {
    return print_lists();
  }
  if (flags.out.empty()) {
    return usage_error("--output is missing (see elapid generate --help)");
  }
  ELAPID_ASSIGN_OR_RETURN(const Target* const target, target_of(flags));
  return flags.separation.allowing.empty()
             ? generate(flags, *target)
             : generate_separation(flags.separation, *target, flags.out);
}

}  // namespace

Command generate_command() {
  const auto flags = std::make_shared<GenerateFlags>();
  Command command = {.name = "generate",
                     .about = "Make a history of a simulated database or object, correct or wrong",
                     .run = [flags] { return run_generate(*flags); }};
  Options& options = command.options;
  options.value("-o,--output", "OUT", flags->out,
                "File or directory to write; - for standard output");
  options
      .value("-f,-t,--format,--to", "FORMAT", flags->format,
             "Format to write, as jsonl or dbcop:json; otherwise told by OUT's extension")
      .proposes(format_names());
  options.flag("--list", flags->lists, "All stores, workloads, presets and faults of objects");
  add_recipe_flags(options, flags->recipe);
  options.flag("--timestamps", flags->timestamps,
               "Write start and commit timestamps where the format holds them: jsonl then has a "
               "line a transaction");
  options.value("--inject", "NAMES", flags->injections,
                "Put anomalies into it, as G-single:3,lost-update:1,noconflict, or faults of an "
                "object, as duplicate:2 (see --list); what was put where is listed in "
                "OUT.injected.json");
  add_separation_flags(options, flags->separation);
  return command;
}

}  // namespace elapid
