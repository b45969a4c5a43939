// elapid scan: checks every history below a folder, and prints one table.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/scan/scan_request.h"
#include "adapter/cli/commands/scan/scan_row.h"
#include "adapter/cli/commands/scan/scan_table.h"
#include "adapter/cli/reports/ci/ci_report.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/store/store_watch.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

/// Completes a row from the journal for the output.
ScanRow for_output(const Scan& scan, ScanRow row) {
  if (is_for_ci(scan.request.output)) {
    row.for_ci = {noted_history(row, scan.levels)};
  }
  return row;
}

/// The row of a history, from the journal where it has one.
ScanRow scan_one(Scan& scan, std::size_t input, Progress& progress, Report& report) {
  const std::string& path = scan.paths[input];
  if (const auto known = scan.merged.find(path); known != scan.merged.end()) {
    return for_output(scan, known->second);
  }
  const std::string stamp = scan.journal ? stamp_of(path) : std::string();
  if (std::optional<ScanRow> noted =
          scan.journal ? scan.journal->find(path, stamp) : std::nullopt) {
    return for_output(scan, std::move(*noted));
  }
  ScanRow row = scan_row(scan, path, progress, report);
  // A final row has its evidence written, and another scan would give the same row.
  const bool is_final = report.code == ExitCode::kOk && row.code != ExitCode::kUnreadable &&
                        row.code != ExitCode::kInternal;
  // A shard notes other rows too, for the merged table. The next scan of the shard checks them
  // again.
  const bool is_noted = is_final || scan.shard;
  if (scan.journal && !interrupted() && is_noted) {
    if (const Status noted = scan.journal->note(row, is_final ? stamp : ""); !noted.ok()) {
      report.err += error_line(noted.error());
    }
  }
  return row;
}

/// Threads make rows in any order; one thread prints them in the order of inputs. `is_wanted` tells
/// which rows are printed.
ExitCode print_rows(Scan& scan, ScanTable& table, Progress& progress,
                    const std::function<bool(std::size_t)>& is_wanted = {}) {
  std::vector<ScanRow> rows(scan.paths.size());
  const bool is_text = scan.request.output == OutputFormat::kText;
  const auto make = [&](std::size_t input) {
    Report report = {.is_document = !is_text};
    rows[input] = scan_one(scan, input, progress, report);
    report.code = combine(report.code, rows[input].code);
    return report;
  };
  const auto show = [&](std::size_t input, Report& report) {
    ScanRow row = std::exchange(rows[input], {});
    if (row.path.empty()) {
      return;  // the report holds the error
    }
    if (is_wanted && !is_wanted(input)) {
      report = {};
      return;
    }
    if (!is_text && !row.problem.empty()) {
      const std::string who = row.problem.starts_with(row.path) ? "" : row.path + ": ";
      report.err += "elapid: " + visible_line(who + row.problem) + "\n";
    }
    report.out = table.next(row);
    std::ranges::move(row.for_ci, std::back_inserter(scan.for_ci));
  };
  return print_reports(scan.paths.size(), scan.request.threads, progress, make, show);
}

/// Ends the output that needs all rows. Error: that of print_for_ci().
ExitCode print_end(const Scan& scan, ScanTable& table) {
  if (is_for_ci(scan.request.output)) {
    const Status printed = print_for_ci(scan.request.output, scan.for_ci);
    return printed.ok() ? ExitCode::kOk : print_error(printed.error());
  }
  const std::string end = table.end(scan.passed_over);
  scan.request.output == OutputFormat::kText ? print_text(end) : print_document(end);
  return ExitCode::kOk;
}

/// Paths as long as those of runs to come, for the width of columns.
std::vector<std::string> likely_paths(const CheckRequest& request) {
  std::vector<std::string> paths = request.inputs;
  for (std::string& path : paths) {
    path += "/some-test/20261231T235959.999Z";
  }
  return paths;
}

/// Says that runs are still going on: the table does not show them.
void note_running(const Scan& scan, std::size_t running) {
  if (running > 0 && scan.request.detail != Detail::kQuiet) {
    print_notes(fmt::format("{} run{} not ended, and will be judged when Jepsen has saved {}\n",
                            running, running == 1 ? " has" : "s have",
                            running == 1 ? "it" : "them"));
  }
}

/// Waits for news of the store or Ctrl-C, at most ten seconds: some file systems report no changes.
void await_news(StoreWatch& store) {
  constexpr std::chrono::milliseconds kCtrlC(200);  // the delay until Ctrl-C is noticed
  constexpr int kTries = 50;
  for (int i = 0; i < kTries && !interrupted() && !store.wait(kCtrlC); ++i) {
  }
}

/// Checks runs as they end, until Ctrl-C. The exit code is that of the checked runs. A run whose
/// history changes is checked when it changes no more.
Result<ExitCode> run_watch(Scan& scan) {
  ELAPID_ASSIGN_OR_RETURN(StoreWatch store, StoreWatch::open(scan.request.inputs));
  catch_termination();
  Progress progress(scan.request.detail == Detail::kQuiet);
  const std::vector<std::string> widths = likely_paths(scan.request);
  ScanTable table(scan.request.output, widths, scan.levels);
  ExitCode all = ExitCode::kOk;
  for (bool is_first = true; !interrupted() && output_status().ok(); is_first = false) {
    const Result<std::vector<EndedRun>> ended = store.ended();
    if (!ended) {
      all = combine(all, print_error(ended.error()));
      break;
    }
    note_running(scan, is_first ? store.running() : 0);
    if (ended.value().empty()) {
      await_news(store);
      continue;
    }
    scan.paths.clear();
    for (const EndedRun& run : ended.value()) {
      scan.paths.push_back(run.path);
    }
    share_threads(scan.paths.size(), scan.request);
    const ExitCode code = print_rows(scan, table, progress, [&](std::size_t input) {
      return store.settle(ended.value()[input]);
    });
    all = code == ExitCode::kInterrupted ? all : combine(all, code);
  }
  return combine(all, print_end(scan, table));
}

/// Notes that the shard has ended. Of merged shards, names the missing ones.
ExitCode end_shares(Scan& scan) {
  if (!scan.missing.empty()) {
    scan.request.output == OutputFormat::kText ? print_text(scan.missing)
                                               : print_notes(scan.missing);
    return ExitCode::kUnreadable;
  }
  if (!scan.shard || !scan.journal) {
    return ExitCode::kOk;
  }
  scan.shard_note.has_ended = true;
  const Status noted = scan.journal->note_shard(scan.shard_note);
  return noted.ok() ? ExitCode::kOk : print_error(noted.error());
}

Result<ExitCode> run_scan(const ScanFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(Scan scan, make_scan(flags, program_stamp(ELAPID_VERSION)));
  if (flags.watch) {
    return run_watch(scan);
  }
  Progress progress(scan.request.detail == Detail::kQuiet);
  ScanTable table(scan.request.output, scan.paths, scan.levels);
  const ExitCode code = print_rows(scan, table, progress);
  return code == ExitCode::kInterrupted
             ? code
             : combine(combine(code, print_end(scan, table)), end_shares(scan));
}

}  // namespace

Command scan_command() {
  const auto flags = std::make_shared<ScanFlags>();
  Command command = {.name = "scan",
                     .about = "Check every history below a folder, in one table",
                     .run = [flags] { return run_scan(*flags); }};
  add_scan_flags(command.options, *flags);
  return command;
}

}  // namespace elapid
