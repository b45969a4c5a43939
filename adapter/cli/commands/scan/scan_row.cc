#include "adapter/cli/commands/scan/scan_row.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "adapter/cli/commands/scan/run_results.h"
#include "adapter/cli/commands/scan/scan_evidence.h"
#include "adapter/cli/reports/check_report.h"
#include "adapter/cli/reports/ci/ci_histories.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/source/verdict_text.h"
#include "engine/evidence/describe.h"
#include "engine/ir/memory_account.h"
#include "engine/ir/visible.h"
#include "engine/levels/validity.h"
#include "parsers/door/availability.h"
#include "parsers/door/door.h"

namespace elapid {
namespace {

/// Adds the verdict on one history of a file to a level's column.
void add_word(std::size_t column, std::string word, ScanRow& row) {
  if (column == row.verdicts.size()) {
    row.verdicts.push_back(std::move(word));
  } else {
    row.verdicts[column] = together(row.verdicts[column], word);
  }
}

/// The results of one file.
struct Findings {
  ScanRow row = {};
  std::set<std::string, std::less<>> anomalies = {};
  ScanEvidence evidence;
  std::optional<RunResults> results = {};
  bool explains = false;  ///< in words, for JUnit
  bool full = false;      ///< long operations in full
  bool is_for_ci = false;
  std::optional<Availability> availability = {};  ///< of all histories of the file
  std::string notes = {};                         ///< on levels that count for nothing
  std::optional<CiHistory> told = {};             ///< to CI systems, of the current history
  /// The last answer on the current history.
  Result<Verdict> verdict = usage_error("nothing is demanded");
};

/// Adds a verdict on the current history for the output of CI systems.
void tell(LoadedHistory& loaded, const Result<Verdict>& verdict, Findings& found) {
  if (!found.is_for_ci) {
    return;
  }
  CiHistory told = verdict
                       ? ci_history(found.row.path, loaded, verdict.value(), kCheckFlags.clock_skew)
                       : ci_failure(found.row.path, verdict.error());
  if (found.told) {
    add_verdict(std::move(told), *found.told);
  } else {
    found.told = std::move(told);
  }
}

/// Checks what `options` and the file's test demand. Names the place of an operation in an error.
void check_alone(LoadedHistory& loaded, const CheckOptions& options, Findings& found) {
  found.verdict = check_loaded(loaded, options);
  if (!found.verdict && found.verdict.error().byte_offset) {
    found.verdict = completed(std::move(found.verdict.error()), found.row.path, loaded);
  }
  if (found.verdict && found.availability) {
    found.availability->judge(found.verdict.value());
  }
}

/// As check_alone(), and adds exit code, anomalies, problem and evidence.
const Result<Verdict>& check_into(LoadedHistory& loaded, const CheckOptions& options,
                                  Findings& found) {
  check_alone(loaded, options, found);
  const Result<Verdict>& verdict = found.verdict;
  ScanRow& row = found.row;
  if (verdict) {
    row.code = combine(row.code, exit_code(verdict.value().validity));
    found.anomalies.merge(names_found(verdict.value()));
    if (const auto initial = likely_initial(loaded.history(), verdict.value())) {
      row.initial = loaded.history().text(*initial);
    }
    found.evidence.add(loaded, verdict.value());
  } else {
    row.problem = verdict.error().to_string();
    row.code = combine(row.code, exit_code(verdict.error().kind));
  }
  tell(loaded, verdict, found);
  return verdict;
}

/// Adds the explanation of an invalid verdict to the column, if explanations are wanted.
void explain(LoadedHistory& loaded, const Result<Verdict>& verdict, std::size_t column,
             Findings& found) {
  if (found.explains && verdict && verdict.value().validity == Validity::kInvalid) {
    std::vector<std::string>& texts = found.row.explanations;
    texts.resize(std::max(texts.size(), column + 1));
    texts[column] += verdict_text(loaded, verdict.value(),
                                  {.full = found.full, .clock_skew = kCheckFlags.clock_skew});
  }
}

/// The word of a column. The share of operations that succeeded is no matter of a level.
std::string word_of(const Result<Verdict>& verdict, bool is_of_level) {
  if (!verdict) {
    return "-";
  }
  const bool has_level = is_of_level && verdict.value().checked.any();
  return std::string(
      validity_word(has_level ? validity_of_claims(verdict.value()) : verdict.value().validity));
}

/// Checks what a column demands, adding to the row: a level, or all that is demanded.
void check_column(LoadedHistory& loaded, const CheckOptions& options, std::size_t column,
                  bool is_of_level, Findings& found) {
  const Result<Verdict>& verdict = check_into(loaded, options, found);
  explain(loaded, verdict, column, found);
  add_word(column, word_of(verdict, is_of_level), found.row);
}

/// Checks all levels at once, as `check -c all` does, and fills a column with each.
void check_ladder(LoadedHistory& loaded, const CheckOptions& options,
                  const std::vector<NamedModel>& levels, Findings& found) {
  const Result<Verdict>& verdict = check_into(loaded, options, found);
  std::optional<std::size_t> invalid;  // the first column
  for (std::size_t column = 0; column < levels.size(); ++column) {
    std::string word = word_of(verdict, true);
    if (verdict) {
      const std::vector<Standing>& ladder = verdict.value().ladder;
      const auto rung = std::ranges::find(ladder, levels[column].model, &Standing::model);
      word = rung != ladder.end() ? std::string(validity_word(rung->validity)) : word;
    }
    if (!invalid && word == validity_word(Validity::kInvalid)) {
      invalid = column;
    }
    add_word(column, std::move(word), found.row);
  }
  explain(loaded, verdict, invalid.value_or(0), found);
}

/// Checks one of the histories of a file, adding to the row.
void check_history(const Scan& scan, LoadedHistory& loaded, Progress& progress, Findings& found) {
  ScanRow& row = found.row;
  row.format = text(loaded.format());
  row.workload = loaded.history().workload().name();
  row.transactions += loaded.history().txn_count();
  static_cast<void>(apply(scan.request.job.levels, loaded.history()));
  CheckOptions options = scan.request.job.check;
  options.progress = [&](std::string_view stage) { return progress.stage(row.path, stage); };
  set_limits(scan.request.job.limits, options);
  const std::string not_used = set_demands(scan.request.job, loaded, options);
  if (scan.levels.models.empty()) {
    if (!not_used.empty() && loaded.history().workload().has_levels()) {
      found.notes += visible_line(label_of(row.path, loaded) + ": Warning: " + not_used) + "\n";
    }
    check_column(loaded, options, 0, false, found);
  } else if (options.each_model) {
    check_ladder(loaded, options, scan.levels.models, found);
    return;
  }
  for (std::size_t column = 0; column < scan.levels.models.size(); ++column) {
    options.models = ModelSet{scan.levels.models[column].model};
    check_column(loaded, options, column, true, found);
  }
  if (found.results && scan.levels.models.size() > 1) {
    options.models = scan.request.job.check.models;  // a run has one result for all levels
    check_alone(loaded, options, found);
  }
}

/// Adds what fails beside the verdicts.
void add_further_failures(const CheckRequest& request, LoadedHistory& loaded, Findings& found) {
  const std::string vacuous = vacuity(request, loaded.history());
  const Report report = further_failures(visible_line(label_of(found.row.path, loaded)), vacuous,
                                         lint_failure(request, loaded));
  if (found.told) {
    found.told->vacuity = vacuous;
  }
  found.notes += report.err;
  found.row.code = combine(found.row.code, report.code);
}

/// Writes the last answer on a history into its run, if results are wanted.
Report results_of(LoadedHistory& loaded, Progress& progress, Findings& found) {
  if (!found.results || interrupted()) {
    return {};
  }
  return found.verdict ? found.results->add(loaded, found.verdict.value(), progress)
                       : found.results->fail(found.verdict.error().message, loaded.key());
}

}  // namespace

/// Checks the histories of one file. Notes about evidence go into the report.
ScanRow scan_row(const Scan& scan, const std::string& path, Progress& progress, Report& report) {
  const auto start = std::chrono::steady_clock::now();
  Findings found = {.row = {.path = path},
                    .evidence = ScanEvidence(scan.request, path),
                    .explains = scan.request.output == OutputFormat::kJunit,
                    .full = scan.request.full,
                    .is_for_ci = is_for_ci(scan.request.output)};
  ScanRow& row = found.row;
  if (scan.writes_results) {
    append(report, found.results.emplace(scan.request, path).begin());
  }
  const MemoryLimit limit(scan.request.job.limits.memory.value_or(MemoryLimit::kNone));
  Result<std::vector<LoadedHistory>> loaded = read_inputs(path, scan.request.job.read, progress);
  if (loaded) {
    found.availability.emplace(scan.request.job, loaded.value());
    const auto note = [&](const Status& status) {
      append(report, status.ok() ? Report() : error_report(status.error()));
    };
    note(found.evidence.begin());
    for (LoadedHistory& history : loaded.value()) {
      check_history(scan, history, progress, found);
      add_further_failures(scan.request, history, found);
      append(report, {.err = std::exchange(found.notes, "")});
      if (found.told) {
        row.for_ci.push_back(*std::exchange(found.told, std::nullopt));
      }
      append(report, found.evidence.end_history(history, progress));
      append(report, results_of(history, progress, found));
    }
    note(interrupted() ? Status() : found.evidence.commit());
    row.anomalies.assign(found.anomalies.begin(), found.anomalies.end());
  } else {
    row.problem = loaded.error().to_string();
    row.code = exit_code(loaded.error().kind);
    if (found.is_for_ci) {
      row.for_ci.push_back(ci_failure(path, loaded.error()));
    }
  }
  if (found.results && !interrupted()) {
    append(report, loaded ? found.results->end() : found.results->fail(row.problem));
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return row;
}

}  // namespace elapid
