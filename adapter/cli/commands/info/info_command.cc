// elapid info: shows the contents of a history.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/info/history_facts.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/store/log_search.h"
#include "adapter/store/run.h"
#include "parsers/door/door.h"

namespace elapid {
namespace {

struct InfoFlags {
  InputFlags input = {};
  bool strongest = false;
  bool stats = false;
  std::string log_pattern = {};
  std::string log_file = {};
};

/// The standing of a history at every level.
Result<std::vector<Standing>> ladder_of(const std::string& path, const LoadedHistory& loaded,
                                        std::size_t threads, Progress& progress) {
  ELAPID_ASSIGN_OR_RETURN(CheckRequest request, check_request({.consistency_models = "all"}));
  request.job.check.threads = threads;
  Result<Verdict> verdict = check_as_asked(loaded, request.job, observer(path, progress));
  if (!verdict) {
    Error error = std::move(verdict).error();
    error.file = label_of(path, loaded);
    return error;
  }
  return std::move(verdict.value().ladder);
}

Report info_of(const std::string& path, const LoadedHistory& loaded, const FurtherFacts& further,
               OutputFormat output) {
  const HistoryOrigin origin = {.path = label_of(path, loaded),
                                .format = text(loaded.format()),
                                .format_reason = loaded.format_reason(),
                                .workload = std::string(loaded.history().workload().name())};
  return {.out = output == OutputFormat::kText
                     ? facts_text(origin, loaded.history(), further)
                     : facts_map(origin, loaded.history(), further, syntax_of(output)),
          .err = salvage_warnings(path, loaded.history()),
          .is_document = output != OutputFormat::kText};
}

/// The lines of the run's logs that match, if the user asks for them.
Result<std::optional<LogMatches>> logs_of(const std::string& path, const InfoFlags& flags) {
  if (flags.log_pattern.empty() && flags.log_file.empty()) {
    return std::optional<LogMatches>();
  }
  if (flags.log_pattern.empty() || flags.log_file.empty()) {
    return usage_error("--log-pattern and --log-file go together");
  }
  const std::optional<std::filesystem::path> run = run_of(path);
  if (!run) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = "is not a history of a run in Jepsen's store, so it has no logs of nodes",
        .file = path};
  }
  Result<LogMatches> found = search_logs(*run, flags.log_pattern, flags.log_file);
  return found ? Result<std::optional<LogMatches>>(std::move(found).value())
               : Result<std::optional<LogMatches>>(std::move(found.error()));
}

Result<Report> info_report(const std::string& path, const ReadOptions& options,
                           const InfoFlags& flags, Progress& progress) {
  ELAPID_ASSIGN_OR_RETURN(std::vector<LoadedHistory> loaded, read_inputs(path, options, progress));
  ELAPID_ASSIGN_OR_RETURN(const std::optional<LogMatches> logs, logs_of(path, flags));
  Report report;
  for (LoadedHistory& history : loaded) {
    std::vector<Standing> ladder;
    if (flags.strongest) {
      Result<std::vector<Standing>> climbed =
          ladder_of(path, history, thread_count(flags.input), progress);
      if (!climbed) {
        append(report, error_report(climbed.error()));
        continue;
      }
      ladder = std::move(climbed).value();
    }
    std::optional<OperationStats> stats;
    if (flags.stats) {
      Result<OperationStats> gathered = gather_stats(history);
      if (!gathered) {
        append(report, error_report(gathered.error()));
        continue;
      }
      stats = std::move(gathered).value();
    }
    append(report, info_of(path, history,
                           {.ladder = ladder,
                            .stats = stats ? &*stats : nullptr,
                            .logs = logs ? &*logs : nullptr},
                           output_format(flags.input)));
  }
  return report;
}

Result<ExitCode> run_info(const InfoFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(const ReadOptions options, read_options(flags.input));
  ELAPID_ASSIGN_OR_RETURN(const std::vector<std::string> paths, histories_named(flags.input));
  Progress progress(false);
  return print_reports(paths.size(), thread_count(flags.input), progress, [&](std::size_t input) {
    return info_report(paths[input], options, flags, progress);
  });
}

}  // namespace

Command info_command() {
  const auto flags = std::make_shared<InfoFlags>();
  Command command = {.name = "info",
                     .about = "What is in a history: format, sessions, counts",
                     .run = [flags] { return run_info(*flags); }};
  add_input_flags(command.options, flags->input);
  command.options.flag("--strongest", flags->strongest,
                       "Check all levels: the strongest that hold, the weakest that are violated");
  command.options.flag("--stats", flags->stats,
                       "Outcomes of operations by :f: counts, latencies, exceptions");
  command.options.value("--log-pattern", "REGEX", flags->log_pattern,
                        "Of a Jepsen run: lines that match in the nodes' logs; see --log-file");
  command.options.value("--log-file", "NAME", flags->log_file,
                        "The log that each node's folder has, as db.log");
  return command;
}

}  // namespace elapid
