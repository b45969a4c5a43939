#include "adapter/cli/commands/run/matrix/run_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "adapter/cli/commands/run/coverage.h"
#include "adapter/cli/commands/run/matrix/matrix_plan.h"
#include "adapter/cli/commands/run/matrix/matrix_report.h"
#include "adapter/cli/commands/run/matrix/run_json.h"
#include "adapter/cli/commands/run/recorded_run.h"
#include "adapter/cli/commands/run/run_folder.h"
#include "adapter/cli/commands/run/run_record.h"
#include "adapter/cli/reports/check_report.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/progress.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/elle/file_output.h"
#include "engine/ir/visible.h"
#include "harness/process/child_call.h"

namespace elapid {
namespace {

/// How often each type was found. Every anomaly is of one type.
std::vector<AnomalyCount> counts_of(const std::vector<Anomaly>& anomalies) {
  std::vector<AnomalyCount> counts;
  for (const Anomaly& anomaly : anomalies) {
    const std::string type(name(anomaly.type));
    const auto found = std::ranges::find(counts, type, &AnomalyCount::type);
    if (found == counts.end()) {
      counts.push_back({type, 1});
    } else {
      ++found->count;
    }
  }
  return counts;
}

void take_counts(const DriveCounts& counts, MatrixRun& run) {
  run.transactions = counts.transactions;
  run.committed = counts.committed;
  run.aborted = counts.aborted;
  run.indeterminate = counts.indeterminate;
  run.seconds = counts.seconds.count();
}

/// A set that lost acknowledged elements violates every level that was promised. A set that lost
/// none says nothing about levels.
void take_loss(const Verdict& verdict, MatrixRun& run) {
  for (const auto& [key, value] : verdict.entries) {
    const auto* const count = std::get_if<std::int64_t>(&value);
    if (count != nullptr && *count > 0 && (key == "lost-count" || key == "unexpected-count")) {
      run.anomalies.push_back(
          {key == "lost-count" ? "lost" : "unexpected", static_cast<std::uint64_t>(*count)});
    }
  }
  if (verdict.validity != Validity::kInvalid) {
    return;
  }
  if (run.promised.model) {
    run.standings = {{.model = *run.promised.model, .validity = Validity::kInvalid}};
  } else {
    run.own_levels = Validity::kInvalid;
  }
}

/// A check that did not end, or that shows a violation without a count, says nothing about rates.
bool is_counted(Validity validity, const std::vector<AnomalyCount>& anomalies) {
  return validity == Validity::kValid || (validity == Validity::kInvalid && !anomalies.empty());
}

/// Takes the verdict on the recorded history. Without contention the run shows nothing.
Status take_verdict(const RunRequest& request, const std::string& history,
                    const std::optional<DriveCounts>& counts, Progress& progress, MatrixRun& run) {
  CheckJob job = request.check.job;
  job.check.each_model = true;
  Result<std::vector<CheckedHistory>> checked =
      check_input(history, job, observer(history, progress));
  progress.clear();
  ELAPID_RETURN_IF_ERROR(checked);
  const CheckedHistory& one = checked.value().front();
  if (!request.workload->workload.has_levels()) {
    take_loss(one.verdict, run);
    run.is_counted = is_counted(one.verdict.validity, run.anomalies);
    return {};
  }
  run.standings = one.verdict.ladder;
  // A check level by level has evidence of the weakest violated level only. A second check finds
  // all anomalies.
  job = request.check.job;
  if (!run.promised.model) {
    job.check.models = {};
    job.check.by_transaction = true;
  }
  ELAPID_ASSIGN_OR_RETURN(const Verdict found, check_as_asked(one.loaded, job));
  if (!run.promised.model) {
    run.own_levels = found.validity;
  }
  run.anomalies = counts_of(found.anomalies);
  run.is_counted = is_counted(found.validity, run.anomalies);
  const std::string too_little = why_too_little(request.check, one.loaded.history(), counts);
  if (!too_little.empty() && run.anomalies.empty()) {
    run.problem = "too little was tested: " + too_little;
  }
  return {};
}

Status carry_out(const PlannedRun& planned, const std::string& store, MatrixRun& run) {
  ELAPID_ASSIGN_OR_RETURN(RunRequest request, run_request(planned.flags));
  ELAPID_ASSIGN_OR_RETURN(RunFolder folder,
                          RunFolder::create(store, request.name, std::chrono::system_clock::now()));
  Progress progress(request.check.detail == Detail::kQuiet);
  RecordedRun recorded(request, std::move(folder), progress);
  ELAPID_RETURN_IF_ERROR(recorded.record());
  run.database = database_name(recorded.facts());
  run.folder = recorded.folder().substr(std::min(recorded.folder().size(), store.size() + 1));
  if (recorded.counts()) {
    take_counts(*recorded.counts(), run);
  }
  if (!recorded.stopped_by().ok()) {
    return recorded.stopped_by();
  }
  return take_verdict(request, recorded.history(), recorded.counts(), progress, run);
}

MatrixRun one_run(const PlannedRun& planned, const std::string& store) {
  MatrixRun run = {.address = without_password(planned.address),
                   .promised = planned.promised,
                   .workload = planned.workload};
  const Result<std::string> told = call_in_child([&] {
    MatrixRun mine = run;
    if (const Status status = carry_out(planned, store, mine); !status.ok()) {
      mine.problem = status.error().message;
    }
    return run_json(mine);
  });
  const Status taken = told ? take_run(told.value(), run) : Status(told.error());
  if (!taken.ok()) {
    run.problem = taken.error().message;
  }
  return run;
}

/// The command that repeats these runs: what was typed, with the databases found and the seed.
std::string command_of(const RunFlags& flags, const MatrixPlan& plan) {
  std::vector<std::string> addresses;
  for (const PlannedRun& run : plan.runs) {
    const std::string address = without_password(run.address);
    if (std::ranges::find(addresses, address) == addresses.end()) {
      addresses.push_back(address);
    }
  }
  std::string command = "elapid run --matrix";
  const auto add = [&](const GivenOption& option) {
    command += ' ' + option.name;
    command += option.value ? ' ' + shell_word(*option.value) : "";
  };
  add({.name = "--db", .value = fmt::format("{}", fmt::join(addresses, ","))});
  static constexpr std::array<std::string_view, 3> kSaidOtherwise = {"--matrix", "--db", "--seed"};
  for (const GivenOption& option : flags.given) {
    if (std::ranges::find(kSaidOtherwise, option.name) == kSaidOtherwise.end()) {
      add(option);
    }
  }
  add({.name = "--seed", .value = std::to_string(*flags.recipe.seed)});
  return command;
}

Status write_report(const MatrixReport& report, const std::string& folder) {
  for (const auto& [name, text] : {std::pair{"matrix.txt", matrix_text(report)},
                                   std::pair{"matrix.md", matrix_markdown(report)},
                                   std::pair{"matrix.json", matrix_json(report)},
                                   std::pair{"matrix.html", matrix_page(report)}}) {
    ELAPID_RETURN_IF_ERROR(write_file(folder + '/' + name, text));
  }
  return {};
}

}  // namespace

Result<ExitCode> run_matrix(const RunFlags& as_typed) {
  catch_interrupt();
  catch_termination();
  RunFlags flags = as_typed;
  flags.recipe.seed = flags.recipe.seed.value_or(std::random_device()());
  ELAPID_ASSIGN_OR_RETURN(MatrixPlan plan, matrix_plan(flags));
  for (const std::string& why : plan.left_out) {
    print_notes(fmt::format("left out: {}\n", visible_line(why)));
  }
  ELAPID_ASSIGN_OR_RETURN(
      RunFolder folder, RunFolder::create(flags.store, "matrix", std::chrono::system_clock::now()));
  MatrixReport report = {
      .time = folder.time(), .command = command_of(flags, plan), .seed = *flags.recipe.seed};
  for (const PlannedRun& planned : plan.runs) {
    if (interrupted()) {
      break;
    }
    report.runs.push_back(one_run(planned, flags.store));
  }
  folder.keep();
  print_text(matrix_text(report));
  ELAPID_RETURN_IF_ERROR(write_report(report, folder.path()));
  if (!flags.check.quiet) {
    print_notes(fmt::format("{}/matrix.html\n", visible_line(folder.path())));
  }
  return interrupted() ? ExitCode::kInterrupted : exit_code(promises_of(rows_of(report.runs)));
}

}  // namespace elapid
