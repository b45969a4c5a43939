// elapid scan: every history below a folder, checked, in one table.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/interrupt.h"
#include "adapter/cli/names.h"
#include "adapter/cli/reports.h"
#include "adapter/cli/scan/run_results.h"
#include "adapter/cli/scan/scan_evidence.h"
#include "adapter/cli/scan/scan_journal.h"
#include "adapter/cli/scan/scan_table.h"
#include "adapter/cli/terminal.h"
#include "adapter/door/door.h"
#include "adapter/door/verdict_text.h"
#include "adapter/store/store_watch.h"
#include "engine/evidence/describe.h"
#include "engine/levels/validity.h"
#include "parsers/find.h"

namespace elapid {
namespace {

struct ScanFlags {
  CheckFlags check = {};
  std::string resume = {};
  bool write_results = false;
  bool watch = false;
};

/// What a scan is asked to do.
struct Scan {
  CheckRequest request;
  ScanForm form = ScanForm::kText;
  ScanLevels levels;
  std::vector<std::string> paths;
  std::size_t passed_over = 0;
  bool writes_results = false;  ///< into the runs
  std::optional<ScanJournal> journal;
};

constexpr const char* kDefaultColumn = "default";

/// Adds what one of the histories of a file answered to a level's column.
void add_word(std::size_t column, std::string word, ScanRow& row) {
  if (column == row.verdicts.size()) {
    row.verdicts.push_back(std::move(word));
  } else {
    row.verdicts[column] = together(row.verdicts[column], word);
  }
}

/// What the checks of one file come to.
struct Findings {
  ScanRow row = {};
  std::set<std::string> anomalies = {};
  ScanEvidence evidence;
  std::optional<RunResults> results = {};
  bool explains = false;  ///< in words, for JUnit
  /// The last answer on the history at hand.
  Result<Verdict> verdict = usage_error("nothing is demanded");
};

/// Checks what `options` demand, adding exit code, anomalies, problem and evidence.
const Result<Verdict>& check_into(LoadedHistory& loaded, const CheckOptions& options,
                                  Findings& found) {
  found.verdict = check_loaded(loaded, options);
  const Result<Verdict>& verdict = found.verdict;
  ScanRow& row = found.row;
  if (verdict) {
    row.code = combine(row.code, exit_code(verdict.value().validity));
    for (const Anomaly& anomaly : verdict.value().anomalies) {
      found.anomalies.emplace(name(anomaly.type));
    }
    for (const Description& finding : verdict.value().findings) {
      found.anomalies.emplace(finding.name);
    }
    if (const auto initial = likely_initial(loaded.history(), verdict.value())) {
      row.initial = loaded.history().text(*initial);
    }
    found.evidence.add(loaded, verdict.value());
  } else {
    row.problem = verdict.error().message;
    row.code = combine(row.code, exit_code(verdict.error().kind));
  }
  return verdict;
}

/// Adds what an invalid verdict rests on to the column's explanation, where one is wanted.
void explain(LoadedHistory& loaded, const Result<Verdict>& verdict, std::size_t column,
             Findings& found) {
  if (found.explains && verdict && verdict.value().validity == Validity::kInvalid) {
    std::vector<std::string>& texts = found.row.explanations;
    texts.resize(std::max(texts.size(), column + 1));
    texts[column] += verdict_text(loaded, verdict.value(), {.clock_skew = kCheckFlags.clock_skew});
  }
}

/// Checks the level of a column, adding to the row.
void check_level(LoadedHistory& loaded, const CheckOptions& options, std::size_t column,
                 Findings& found) {
  const Result<Verdict>& verdict = check_into(loaded, options, found);
  explain(loaded, verdict, column, found);
  add_word(column, verdict ? std::string(validity_word(verdict.value().validity)) : "-", found.row);
}

/// Checks all levels at once, as `check -c all` does, and fills a column with each.
void check_ladder(LoadedHistory& loaded, const CheckOptions& options,
                  const std::vector<NamedModel>& levels, Findings& found) {
  const Result<Verdict>& verdict = check_into(loaded, options, found);
  bool is_explained = false;
  for (std::size_t column = 0; column < levels.size(); ++column) {
    std::string word = verdict ? std::string(validity_word(verdict.value().validity)) : "-";
    if (verdict) {
      const std::vector<Standing>& ladder = verdict.value().ladder;
      const auto rung = std::ranges::find(ladder, levels[column].model, &Standing::model);
      word = rung != ladder.end() ? std::string(validity_word(rung->validity)) : word;
    }
    if (!is_explained && word == validity_word(Validity::kInvalid)) {
      explain(loaded, verdict, column, found);
      is_explained = true;
    }
    add_word(column, std::move(word), found.row);
  }
}

/// Checks a history that knows no levels; each column says the same.
void check_without_levels(LoadedHistory& loaded, CheckOptions options, std::size_t columns,
                          Findings& found) {
  options.models = {};
  options.each_model = false;
  const Result<Verdict>& verdict = check_into(loaded, options, found);
  for (std::size_t column = 0; column < columns; ++column) {
    add_word(column, verdict ? std::string(validity_word(verdict.value().validity)) : "-",
             found.row);
  }
}

/// Checks one of the histories of a file, adding to the row.
void check_history(const Scan& scan, LoadedHistory& loaded, Progress& progress, Findings& found) {
  ScanRow& row = found.row;
  row.format = text(loaded.format());
  row.workload = loaded.history().workload().name();
  row.transactions += loaded.history().txn_count();
  CheckOptions options = scan.request.job.check;
  options.progress = [&](std::string_view stage) { return progress.stage(row.path, stage); };
  set_limits(scan.request.job.limits, options);
  if (!loaded.history().workload().has_levels()) {
    check_without_levels(loaded, std::move(options), scan.levels.names.size(), found);
    return;
  }
  if (scan.levels.models.empty()) {
    options.models = models_demanded(scan.request.job, loaded.history());
    check_level(loaded, options, 0, found);
  } else if (options.each_model) {
    check_ladder(loaded, options, scan.levels.models, found);
    return;
  }
  for (std::size_t column = 0; column < scan.levels.models.size(); ++column) {
    options.models = ModelSet{scan.levels.models[column].model};
    check_level(loaded, options, column, found);
  }
  if (found.results && scan.levels.models.size() > 1) {
    options.models = scan.request.job.check.models;  // a run has one result, of all of them
    found.verdict = check_loaded(loaded, options);
  }
}

/// Leaves the last answer on a history in its run, if that is asked for.
Report results_of(LoadedHistory& loaded, Progress& progress, Findings& found) {
  if (!found.results || interrupted()) {
    return {};
  }
  return found.verdict ? found.results->add(loaded, found.verdict.value(), progress)
                       : found.results->fail(found.verdict.error().message);
}

/// Checks what one file holds; what is said of its evidence goes into the report.
ScanRow scan_row(const Scan& scan, const std::string& path, Progress& progress, Report& report) {
  const auto start = std::chrono::steady_clock::now();
  Findings found = {.row = {.path = path},
                    .evidence = ScanEvidence(scan.request, path),
                    .explains = scan.form == ScanForm::kJunit};
  ScanRow& row = found.row;
  if (scan.writes_results) {
    append(report, found.results.emplace(scan.request, path).begin());
  }
  Result<std::vector<LoadedHistory>> loaded = read_inputs(path, scan.request.job.read, progress);
  if (loaded) {
    const auto note = [&](const Status& status) {
      append(report, status.ok() ? Report() : error_report(status.error()));
    };
    note(found.evidence.begin());
    for (LoadedHistory& history : loaded.value()) {
      check_history(scan, history, progress, found);
      append(report, found.evidence.end_history(history, progress));
      append(report, results_of(history, progress, found));
    }
    note(interrupted() ? Status() : found.evidence.commit());
    row.anomalies.assign(found.anomalies.begin(), found.anomalies.end());
  } else {
    row.problem = loaded.error().to_string();
    row.code = exit_code(loaded.error().kind);
  }
  if (found.results && !interrupted()) {
    append(report, loaded ? found.results->end() : found.results->fail(row.problem));
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return row;
}

/// The row of a history, from the journal where it has one.
ScanRow scan_one(Scan& scan, std::size_t input, Progress& progress, Report& report) {
  const std::string& path = scan.paths[input];
  if (std::optional<ScanRow> noted = scan.journal ? scan.journal->find(path) : std::nullopt) {
    return std::move(*noted);
  }
  ScanRow row = scan_row(scan, path, progress, report);
  if (scan.journal && !interrupted() && report.code == ExitCode::kOk) {  // evidence is written
    if (const Status noted = scan.journal->note(row); !noted.ok()) {
      report.err += error_line(noted.error());
    }
  }
  return row;
}

/// All histories below all folders given, each once.
Status find_all(Scan& scan) {
  for (const std::string& input : scan.request.inputs) {
    Result<FoundHistories> found = find_histories(input);
    if (!found) {
      return std::move(found.error());
    }
    scan.passed_over += found.value().passed_over.size();
    for (std::string& path : found.value().paths) {
      if (std::ranges::find(scan.paths, path) == scan.paths.end()) {
        scan.paths.push_back(std::move(path));
      }
    }
  }
  return {};
}

/// What is written beside the rows.
std::string evidence_settings(const ScanFlags& flags) {
  const CheckFlags& check = flags.check;
  return (flags.write_results ? " --write-results" : "") +
         (check.directory.empty() ? "" : " -d " + check.directory + " " + check.plot_format) +
         (check.certificate.empty() ? "" : " --certificate " + check.certificate);
}

/// Everything that a row depends on beside the history.
std::string settings_of(const ScanFlags& flags) {
  const CheckFlags& check = flags.check;
  const InputFlags& input = check.input;
  return fmt::format(
             "{}",
             fmt::join({check.consistency_models, check.anomalies, input.format, input.workload,
                        input.initial, check.transaction_order, std::to_string(input.salvage),
                        std::to_string(input.independent), std::to_string(check.elle_compat),
                        std::to_string(check.wfr_keys), std::to_string(check.sequential_keys),
                        std::to_string(check.linearizable_keys),
                        std::to_string(check.cycle_search_timeout_ms),
                        std::to_string(check.work.value_or(0)), check.engine, check.timeout,
                        check.memory},
                       " ")) +
         evidence_settings(flags);
}

/// Requires that the names were looked up before, and found.
ScanLevels find_levels(const CheckFlags& flags) {
  if (flags.consistency_models.empty()) {
    return {.names = {kDefaultColumn}};
  }
  ScanLevels levels = {
      .models = parse_model_list(flags.consistency_models, flags.elle_compat).value(),
      .is_ladder = is_all(flags.consistency_models)};
  for (const NamedModel& level : levels.models) {
    levels.names.push_back(level.name);
  }
  if (levels.names.empty()) {
    levels.names = {"none"};
  }
  return levels;
}

Result<Scan> make_scan(const ScanFlags& flags) {
  Result<CheckRequest> request = check_request(flags.check);
  if (!request) {
    return request.error();
  }
  Scan scan = {.request = std::move(request).value(),
               .form = scan_form(flags.check.input.output),
               .levels = find_levels(flags.check),
               .paths = {},
               .writes_results = flags.write_results,
               .journal = std::nullopt};
  scan.request.job.check.keep_components |= flags.write_results;
  if (Status status = flags.watch ? Status() : find_all(scan); !status.ok()) {
    return std::move(status.error());
  }
  share_threads(scan.paths.size(), scan.request);
  if (scan.request.directory || scan.request.certificate) {
    if (Status status = check_places(scan.paths); !status.ok()) {
      return std::move(status.error());
    }
  }
  if (!flags.resume.empty()) {
    Result<ScanJournal> journal =
        ScanJournal::open(flags.resume, settings_of(flags), scan.levels.names);
    if (!journal) {
      return std::move(journal.error());
    }
    scan.journal = std::move(journal).value();
  }
  return scan;
}

/// Rows are made by several threads, in any order, and shown by one in theirs; `is_wanted` says
/// whether a row that was made is one to be shown.
ExitCode print_rows(Scan& scan, ScanTable& table, Progress& progress,
                    const std::function<bool(std::size_t)>& is_wanted = {}) {
  std::vector<ScanRow> rows(scan.paths.size());
  const bool is_text = scan.form == ScanForm::kText;
  const auto make = [&](std::size_t input) {
    Report report = {.is_document = !is_text};
    rows[input] = scan_one(scan, input, progress, report);
    report.code = combine(report.code, rows[input].code);
    return report;
  };
  const auto show = [&](std::size_t input, Report& report) {
    ScanRow row = std::exchange(rows[input], {});
    if (row.path.empty()) {
      return;  // what was thrown is in the report
    }
    if (is_wanted && !is_wanted(input)) {
      report = {};
      return;
    }
    if (!is_text && !row.problem.empty()) {
      const std::string who = row.problem.starts_with(row.path) ? "" : row.path + ": ";
      report.err += "elapid: " + printable_line(who + row.problem) + "\n";
    }
    report.out = table.next(row);
  };
  return print_reports(scan.paths.size(), scan.request.threads, progress, make, show);
}

void print_end(const Scan& scan, ScanTable& table) {
  const std::string end = table.end(scan.passed_over);
  scan.form == ScanForm::kText ? print_text(end) : print_document(end);
}

/// As long as the name that a run which is to come may have: columns are as wide.
std::vector<std::string> likely_paths(const CheckRequest& request) {
  std::vector<std::string> paths = request.inputs;
  for (std::string& path : paths) {
    path += "/some-test/20261231T235959.999Z";
  }
  return paths;
}

/// Says that some of the runs that are there are waited for: nothing else tells.
void note_running(const Scan& scan, std::size_t running) {
  if (running > 0 && scan.request.detail != Detail::kQuiet) {
    print_notes(fmt::format("{} run{} not ended, and will be judged when Jepsen has saved {}\n",
                            running, running == 1 ? " has" : "s have",
                            running == 1 ? "it" : "them"));
  }
}

/// Waits for news of the store, for Ctrl-C, or, since not every file system has news, ten seconds.
void await_news(StoreWatch& store) {
  constexpr std::chrono::milliseconds kCtrlC(200);  // in which it is noticed
  constexpr int kTries = 50;
  for (int i = 0; i < kTries && !interrupted() && !store.wait(kCtrlC); ++i) {
  }
}

/// Judges runs as they end, until Ctrl-C: the exit code is that of the runs judged. A run whose
/// history has changed meanwhile is judged when it changes no more.
ExitCode run_watch(Scan& scan) {
  Result<StoreWatch> store = StoreWatch::open(scan.request.inputs);
  if (!store) {
    return print_error(store.error());
  }
  catch_termination();
  Progress progress(scan.request.detail == Detail::kQuiet);
  const std::vector<std::string> widths = likely_paths(scan.request);
  ScanTable table(scan.form, widths, scan.levels);
  ExitCode all = ExitCode::kOk;
  for (bool is_first = true; !interrupted() && output_status().ok(); is_first = false) {
    const Result<std::vector<EndedRun>> ended = store.value().ended();
    if (!ended) {
      print_end(scan, table);
      return combine(all, print_error(ended.error()));
    }
    note_running(scan, is_first ? store.value().running() : 0);
    if (ended.value().empty()) {
      await_news(store.value());
      continue;
    }
    scan.paths.clear();
    for (const EndedRun& run : ended.value()) {
      scan.paths.push_back(run.path);
    }
    share_threads(scan.paths.size(), scan.request);
    const ExitCode code = print_rows(scan, table, progress, [&](std::size_t input) {
      return store.value().settle(ended.value()[input]);
    });
    all = code == ExitCode::kInterrupted ? all : combine(all, code);
  }
  print_end(scan, table);
  return all;
}

ExitCode run_scan(const ScanFlags& flags) {
  Result<Scan> made = make_scan(flags);
  if (!made) {
    return print_error(made.error());
  }
  Scan& scan = made.value();
  if (flags.watch) {
    return run_watch(scan);
  }
  Progress progress(scan.request.detail == Detail::kQuiet);
  ScanTable table(scan.form, scan.paths, scan.levels);
  const ExitCode code = print_rows(scan, table, progress);
  if (code != ExitCode::kInterrupted) {
    print_end(scan, table);
  }
  return code;
}

}  // namespace

Command scan_command() {
  const auto flags = std::make_shared<ScanFlags>();
  Command command = {.name = "scan",
                     .about = "Check every history below a folder, in one table",
                     .run = [flags] { return run_scan(*flags); }};
  Options& options = command.options;
  add_check_flags(options, flags->check);
  options.at("--certificate")
      .means("DIR", "Write the proofs of each history's answers below it, for elapid certify");
  options.at("--directory").means("DIR", "Write evidence files of each history below it");
  options.at("--output")
      .means("FORM", "text (default), edn, json, jsonl (a map a line), csv or junit")
      .one_of({"text", "edn", "json", "jsonl", "csv", "junit"});
  options.value("--resume", "FILE", flags->resume,
                "Note finished histories in FILE, and do not check those again that it has");
  options.flag(
      "--write-results", flags->write_results,
      "Write results.edn, summary.txt and evidence into the folder elapid of each run of a "
      "Jepsen store");
  options.flag("--watch", flags->watch,
               "Judge the runs of a Jepsen store as they end, until Ctrl-C");
  return command;
}

}  // namespace elapid
