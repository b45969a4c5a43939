// elapid info: what is in a history.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/history_facts.h"
#include "adapter/cli/input_flags.h"
#include "adapter/cli/reports.h"

namespace elapid {
namespace {

Report info_of(const std::string& path, const LoadedHistory& loaded, OutputFormat output) {
  const HistoryOrigin origin = {.path = label_of(path, loaded),
                                .format = text(loaded.format()),
                                .format_reason = loaded.format_reason(),
                                .workload = std::string(name(loaded.workload()))};
  return {.out = output == OutputFormat::kText
                     ? facts_text(origin, loaded.history())
                     : facts_map(origin, loaded.history(), syntax_of(output)),
          .err = salvage_warnings(path, loaded.history())};
}

Report info_report(const std::string& path, const ReadOptions& options, OutputFormat output,
                   Progress& progress) {
  const Result<std::vector<LoadedHistory>> loaded = read_inputs(path, options, progress);
  if (!loaded) {
    return error_report(loaded.error());
  }
  Report report;
  for (const LoadedHistory& history : loaded.value()) {
    append(report, info_of(path, history, output));
  }
  return report;
}

ExitCode run_info(const InputFlags& flags) {
  const Result<ReadOptions> options = read_options(flags);
  if (!options) {
    return print_error(options.error());
  }
  const Result<std::vector<std::string>> inputs = histories_named(flags);
  if (!inputs) {
    return print_error(inputs.error());
  }
  const std::vector<std::string>& paths = inputs.value();
  Progress progress(false);
  return print_reports(paths.size(), thread_count(flags), progress, [&](std::size_t input) {
    return info_report(paths[input], options.value(), output_format(flags), progress);
  });
}

}  // namespace

Command add_info(CLI::App& program) {
  CLI::App* app = program.add_subcommand("info", "What is in a history: format, sessions, counts");
  const auto flags = std::make_shared<InputFlags>();
  add_input_flags(*app, *flags);
  return {app, [flags] { return run_info(*flags); }};
}

}  // namespace elapid
