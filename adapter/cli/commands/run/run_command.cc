// elapid run: drives a real database, records what its clients see, and checks it.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/run/coverage.h"
#include "adapter/cli/commands/run/matrix/run_matrix.h"
#include "adapter/cli/commands/run/recorded_run.h"
#include "adapter/cli/commands/run/run_folder.h"
#include "adapter/cli/commands/run/run_request.h"
#include "adapter/cli/commands/run/scenario_run.h"
#include "adapter/cli/reports/check_report.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/progress.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/elle/document_writer.h"
#include "adapter/elle/file_output.h"
#include "adapter/source/contention.h"
#include "adapter/source/dependencies.h"
#include "engine/check/unknown_reasons.h"
#include "engine/ir/visible.h"
#include "harness/drive/driver.h"
#include "harness/drive/drivers.h"
#include "harness/generate/workloads/workload_table.h"

namespace elapid {
namespace {

// `elapid run --list`: each driver, its abilities, and how to install it.

/// The driver's description.
std::string driver_text(const DriverInfo& info) {
  std::string text = fmt::format("  {:<16}{}\n", info.name, info.about);
  text += fmt::format("    {:<22}{}\n", "--db", info.address);
  for (const DriverLevel& level : info.levels) {
    text += fmt::format("    {:<22}{}\n", level.name, level.about);
  }
  for (const DriverParameter& parameter : info.parameters) {
    const std::string_view values = parameter.values.empty() ? "..." : parameter.values;
    text += fmt::format("    ?{:<21}{} ({})\n", parameter.name, parameter.about, values);
  }
  if (!info.order.empty()) {
    text += fmt::format("    {:<22}{}\n", "--timestamps", info.order);
  }
  return text;
}

/// All drivers, and the workloads.
std::string driver_list() {
  std::string text = "Databases (--db), their levels (--isolation) and parameters:\n";
  for (const KnownDriver& known : known_drivers()) {
    const Result<const Driver*> driver = find_driver(known.name);
    text += driver ? driver_text(driver.value()->info())
                   : fmt::format("  {:<16}{}\n    {}\n", known.name, known.about,
                                 driver.error().to_string());
  }
  text += "\nWorkloads (-m):\n";
  for (const GeneratedWorkload& workload : generated_workloads()) {
    if (is_of_database(workload)) {
      text += fmt::format("  {:<16}{}\n", workload.name, workload.about);
    }
  }
  return text;
}

/// Makes a valid verdict unknown if the run tested too little.
void doubt(const std::string& vacuity, Verdict& verdict) {
  const bool is_open =
      verdict.validity == Validity::kUnknown &&
      verdict.unknown_because.value_or(std::string(kNothingToCheck)) == kNothingToCheck;
  if (!vacuity.empty() && (verdict.validity == Validity::kValid || is_open)) {
    verdict.validity = Validity::kUnknown;
    verdict.complete = false;
    verdict.unknown_because = "too little was tested: " + vacuity;
  }
}

/// Makes a verdict unknown if it says no more than that messages of `kafka` are missing, and the
/// run did not poll all logs from their beginning at the end. A poll of unknown outcome may have
/// moved its group past a message.
void doubt_losses(std::size_t indeterminate, bool has_read_all, Verdict& verdict) {
  const std::set<std::string, std::less<>> found = names_found(verdict);
  const bool is_missing = verdict.engine == "kafka" && !found.empty() &&
                          found.size() == found.count("unseen") + found.count("lost-write");
  if (!is_missing || has_read_all || (indeterminate == 0 && found.contains("lost-write"))) {
    return;
  }
  verdict.validity = Validity::kUnknown;
  verdict.complete = false;
  verdict.unknown_because = "the run did not poll all messages at its end";
}

/// One run, from the request to the verdict on the recorded history.
class Run {
 public:
  Run(RunRequest request, RunFolder folder)
      : request_(std::move(request)), run_(request_, std::move(folder), progress_) {}

  Result<ExitCode> operator()() {
    catch_interrupt();
    catch_termination();
    const Status recorded = run_.record();
    const bool is_cut_short = take_interrupt();  // the recorded part is checked all the same
    if (!recorded.ok()) {
      return is_cut_short ? Result<ExitCode>(ExitCode::kInterrupted) : recorded.error();
    }
    if (request_.check.detail != Detail::kQuiet) {
      print_notes(run_.summary());
    }
    const ExitCode stopped =
        run_.stopped_by().ok() ? ExitCode::kOk : print_error(run_.stopped_by().error());
    const ExitCode verdict = check();
    return is_cut_short ? ExitCode::kInterrupted : combine(stopped, verdict);
  }

 private:
  ExitCode check();
  Report report_on(std::vector<CheckedHistory>& checked);

  RunRequest request_;
  Progress progress_ = Progress(request_.check.detail == Detail::kQuiet);
  RecordedRun run_;
};

Report Run::report_on(std::vector<CheckedHistory>& checked) {
  CheckRequest request = request_.check;
  CheckedHistory& history_checked = checked.front();
  const Contention found = contention(history_checked.loaded.history());
  ReportSubject subject = {
      .path = run_.history(),
      .vacuity = why_too_little(request, history_checked.loaded.history(), run_.counts())};
  doubt_losses(found.indeterminate, run_.counts() && run_.counts()->has_read_all,
               history_checked.verdict);
  if (request_.requires_coverage) {
    doubt(std::exchange(subject.vacuity, ""), history_checked.verdict);
  }
  if (!request.directory) {
    request.directory = run_.file("elle");
  }
  Report report = check_report(request, subject, history_checked, progress_);
  if (request.detail != Detail::kQuiet) {
    const History& history = history_checked.loaded.history();
    // The counter of dependencies does not support rows.
    const std::string dependencies = history.info().rows || !found.knows_values
                                         ? ""
                                         : dependencies_text(count_dependencies(history)) + "; ";
    report.err += fmt::format("{}: {}; {}{}\n", visible_line(run_.history()),
                              contention_text(found), dependencies, fates_text(found));
  }
  CheckRequest as_map = request_.check;
  as_map.output = OutputFormat::kEdn;
  as_map.detail = Detail::kQuiet;
  as_map.directory.reset();
  const Report map = check_report(as_map, subject, history_checked, progress_);
  if (const Status written = write_file(run_.file("results.edn"), map.out); !written.ok()) {
    append(report, error_report(written.error()));
  }
  return report;
}

ExitCode Run::check() {
  Result<std::vector<CheckedHistory>> checked =
      check_input(run_.history(), request_.check.job, observer(run_.history(), progress_));
  progress_.clear();
  if (!checked) {
    return print_error(checked.error());
  }
  const Report report = report_on(checked.value());
  progress_.clear();
  print_text(report.out);
  print_notes(report.err);
  return report.code;
}

Result<ExitCode> run(const RunFlags& flags) {
  if (flags.lists) {
    print_text(driver_list());
    return ExitCode::kOk;
  }
  if (flags.matrix) {
    return run_matrix(flags);
  }
  if (!flags.scenarios.empty()) {
    return run_scenarios(flags);
  }
  ELAPID_ASSIGN_OR_RETURN(RunRequest request, run_request(flags));
  ELAPID_ASSIGN_OR_RETURN(RunFolder folder, RunFolder::create(request.store, request.name,
                                                              std::chrono::system_clock::now()));
  return Run(std::move(request), std::move(folder))();
}

}  // namespace

Command run_command() {
  const auto flags = std::make_shared<RunFlags>();
  Command command = {.name = "run",
                     .about = "Drive a real database, record what its clients see, and check it",
                     .run = [flags] { return run(*flags); }};
  add_run_flags(command.options, *flags);
  return command;
}

}  // namespace elapid
