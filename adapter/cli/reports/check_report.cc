#include "adapter/cli/reports/check_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "adapter/cli/commands/lint/lint_report.h"
#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/reports/report_folder.h"
#include "adapter/elle/file_output.h"
#include "adapter/elle/result_map.h"
#include "adapter/elle/verdict_view.h"
#include "adapter/source/verdict_text.h"
#include "engine/evidence/describe.h"
#include "engine/ir/visible.h"
#include "engine/levels/validity.h"

namespace elapid {
namespace {

/// Asks users who did not tell the initial value of registers about it.
std::string initial_hint(const CheckedHistory& checked) {
  const History& history = checked.loaded.history();
  const std::optional<ValueId> initial = likely_initial(history, checked.verdict);
  return initial ? fmt::format(
                       "Each read of a value that no transaction wrote shows {0}, and none shows "
                       "{1}: did you mean --initial {0}?\n",
                       history.shown_text(*initial), history.shown_text(history.info().initial))
                 : "";
}

std::string text_report(const CheckRequest& request, const std::string& path,
                        CheckedHistory& checked) {
  std::string out = fmt::format("{}\t{}\n", path, truth_word(checked.verdict.validity));
  if (request.detail != Detail::kQuiet) {
    out += verdict_text(checked.loaded, checked.verdict,
                        {.full = request.full,
                         .colour = request.colour,
                         .clock_skew = kCheckFlags.clock_skew}) +
           initial_hint(checked);
  }
  return out;
}

std::string quoted(const std::string& text, Syntax syntax) {
  DocumentWriter out(syntax);
  out.string(text);
  return std::move(out).take();
}

/// A document without the line breaks between its values: those within strings are escaped.
std::string on_one_line(std::string document) {
  std::erase(document, '\n');
  return document + "\n";
}

/// The result map; with several histories, and where each has a line, in a map that names its file.
std::string map_report(const CheckRequest& request, const ReportSubject& subject,
                       CheckedHistory& checked) {
  const Syntax syntax = syntax_of(request.output);
  const std::string map = result_map(checked.loaded.history(), checked.verdict, syntax,
                                     event_fields(checked.loaded), request.max_map_bytes);
  const bool has_line = request.output == OutputFormat::kJsonl;
  if (subject.is_alone && !has_line) {
    return map + "\n";
  }
  const bool is_json = syntax == Syntax::kJson;
  const std::string& key = checked.loaded.key();
  std::string out = (is_json ? "{\"file\": " : "{:file ") + quoted(subject.path, syntax);
  if (!key.empty()) {
    out += (is_json ? ", \"key\": " : ", :key ") + (is_json ? quoted(key, syntax) : key);
  }
  out += (is_json ? ", \"result\":\n" : ", :result\n") + map + "}\n";
  return has_line ? on_one_line(std::move(out)) : out;
}

std::string verbose_notes(const std::string& path, const CheckedHistory& checked) {
  const LoadedHistory& loaded = checked.loaded;
  std::string notes =
      fmt::format("{}: format {}: {}\n", path, text(loaded.format()), loaded.format_reason());
  notes += fmt::format("{}: workload {}\n", path, loaded.history().workload().name());
  for (const std::string& line : assumed(loaded.history(), checked.verdict)) {
    notes += fmt::format("{}: assumed: {}\n", path, line);
  }
  notes += fmt::format("{}: checked {} with engine {}\n", path, demanded_text(checked.verdict),
                       checked.verdict.engine);
  notes += fmt::format("{}: {} transactions read in {:.3f} s, checked in {:.3f} s\n", path,
                       loaded.history().size_read().transactions(), checked.reading.count(),
                       checked.checking.count());
  return notes;
}

/// The number of the reader's remarks. Lint lists them.
std::string remark_note(const std::string& path, const History& history) {
  const std::size_t remarks = history.info().remarks.size();
  if (remarks == 0) {
    return "";
  }
  return fmt::format("{}: {} remark{} of the reader; elapid lint shows {}\n", path, remarks,
                     remarks == 1 ? "" : "s", remarks == 1 ? "it" : "them");
}

/// A warning for a register history whose validity is not proven: no violation can be inferred.
std::string inference_note(const std::string& path, const CheckedHistory& checked) {
  const bool proved = checked.verdict.validity != Validity::kValid || checked.verdict.complete ||
                      checked.loaded.history().workload() != Workload::kRwRegister;
  return proved
             ? ""
             : fmt::format(
                   "{}: no violation can be inferred; registers show only a part of their version "
                   "orders (docs/elle.md)\n",
                   path);
}

/// A violation may hang on the first transaction, which a convention makes the initial state.
std::string initial_note(const std::string& path, const CheckedHistory& checked) {
  const bool is_said = checked.verdict.validity == Validity::kInvalid &&
                       checked.loaded.history().info().is_initial_txn_assumed;
  return is_said ? fmt::format(
                       "{}: the first transaction is taken for the initial state; if it is not, "
                       "name that with --initial\n",
                       path)
                 : "";
}

/// The evidence folder. With several histories each has its own, named after its place and its
/// path.
std::string directory_for(const CheckRequest& request, const ReportSubject& subject,
                          const std::string& key) {
  if (subject.is_alone) {
    return *request.directory;
  }
  std::string folder = fmt::format("{}-{}", subject.input + 1, subject.path);
  if (!key.empty()) {
    folder += fmt::format("-{}-{}", subject.part + 1, key);
  }
  std::ranges::replace(folder, '/', '_');
  return *request.directory + "/" + safe_file_name(folder);
}

}  // namespace

std::string vacuity(const CheckRequest& request, const History& history) {
  return request.least_contention ? why_vacuous(contention(history), *request.least_contention)
                                  : "";
}

Report lint_failure(const CheckRequest& request, LoadedHistory& loaded) {
  if (!request.fail_on_lint) {
    return {};
  }
  const Result<std::vector<LintFinding>> findings = lint(loaded);
  return !findings ? error_report(findings.error())
         : findings.value().empty()
             ? Report()
             : Report{.err = findings_text(loaded, findings.value()), .code = ExitCode::kLint};
}

Report further_failures(const std::string& label, const std::string& vacuity, Report lint) {
  if (!vacuity.empty()) {
    append(lint,
           {.err = fmt::format("{}: vacuous: {}\n", label, vacuity), .code = ExitCode::kVacuous});
  }
  return lint;
}

Report check_report(const CheckRequest& request, const ReportSubject& subject,
                    CheckedHistory& checked, Progress& progress) {
  const std::string path = visible_line(label_of(subject.path, checked.loaded));
  Report report;
  report.is_document = request.output != OutputFormat::kText;
  if (request.output == OutputFormat::kText) {
    report.out = text_report(request, path, checked);
  } else if (is_map(request.output)) {
    report.out = map_report(request, subject, checked);
  }
  report.err = salvage_warnings(path, checked.loaded.history());
  report.code = exit_code(checked.verdict.validity);
  if (request.detail == Detail::kVerbose) {
    report.err += verbose_notes(path, checked);
  }
  append(report, further_failures(path, subject.vacuity, subject.lint));
  if (!request.fail_on_lint && request.detail != Detail::kQuiet) {
    report.err += remark_note(path, checked.loaded.history());
    report.err += inference_note(path, checked);
    report.err += initial_note(path, checked);
  }
  if (request.directory) {
    Report evidence =
        evidence_report(subject.path, directory_for(request, subject, checked.loaded.key()),
                        request.plots, checked.loaded, checked.verdict,
                        files_of_report(request, subject.path, checked.loaded, checked.verdict, {},
                                        checked.checking),
                        progress);
    if (request.detail == Detail::kQuiet && evidence.code == ExitCode::kOk) {
      evidence.err.clear();  // the note of files that were left out
    }
    append(report, std::move(evidence));
  }
  return report;
}

std::string error_map(const std::string& path, const std::string& key, const Error& error) {
  DocumentWriter out(Syntax::kJson);
  out.open(Container::kMap);
  out.key("file").string(path);
  if (!key.empty()) {
    out.key("key").string(key);
  }
  out.key("error").string(error.to_string());
  out.close();
  return std::move(out).take() + "\n";
}

std::vector<JUnitCase> junit_cases(const CheckRequest& request, const ReportSubject& subject,
                                   CheckedHistory& checked) {
  const Verdict& verdict = checked.verdict;
  const std::string& key = checked.loaded.key();
  const std::string prefix = key.empty() ? "" : "[key " + key + "] ";
  std::vector<JUnitCase> cases;
  for (const Standing& standing : verdict.ladder) {
    cases.push_back({.name = prefix + std::string(friendly_name(standing.model)),
                     .outcome = junit_outcome(standing.validity),
                     .message = standing.unknown_because});
  }
  if (cases.empty()) {
    cases.push_back({.name = prefix + demanded_text(verdict),
                     .outcome = junit_outcome(validity_of_claims(verdict)),
                     .message = verdict.elle_error.value_or(verdict.unknown_because.value_or(""))});
  }
  cases.front().seconds = checked.checking.count();
  if (verdict.of_claims) {
    cases.push_back({.name = prefix + "availability", .outcome = JUnitOutcome::kFailed});
  }
  std::string text =
      request.detail == Detail::kQuiet
          ? ""
          : verdict_text(checked.loaded, verdict,
                         {.full = request.full, .clock_skew = kCheckFlags.clock_skew}) +
                initial_hint(checked);
  for (JUnitCase& one : cases) {
    if (one.outcome == JUnitOutcome::kFailed) {
      one.message = fmt::format("{}", fmt::join(names_found(verdict), ", "));
      one.text = std::exchange(text, {});
    }
  }
  if (request.least_contention) {
    cases.push_back(
        {.name = prefix + "contention",
         .outcome = subject.vacuity.empty() ? JUnitOutcome::kPassed : JUnitOutcome::kFailed,
         .message = subject.vacuity});
  }
  if (request.fail_on_lint) {
    const bool is_clean = subject.lint.code == ExitCode::kOk;
    cases.push_back({.name = prefix + "lint",
                     .outcome = is_clean ? JUnitOutcome::kPassed : JUnitOutcome::kFailed,
                     .message = is_clean ? "" : "there are findings of elapid lint",
                     .text = subject.lint.err});
  }
  return cases;
}

Report evidence_report(const std::string& input, const std::string& directory,
                       const PlotOptions& plots, LoadedHistory& loaded, const Verdict& verdict,
                       std::vector<EvidenceFile> more, Progress& progress) {
  const std::string path = visible_line(label_of(input, loaded));
  const Result<std::vector<std::string>> notes =
      write_evidence(directory, loaded.history(), verdict,
                     {.history = input,
                      .plots = plots,
                      .fields = event_fields(loaded),
                      .more = std::move(more),
                      .progress = [&] { return progress.stage(path, "drawing pictures"); }});
  if (!notes) {
    return error_report(notes.error());
  }
  Report report;
  for (const std::string& note : notes.value()) {
    report.err += fmt::format("{}: {}\n", path, note);
  }
  return report;
}

}  // namespace elapid
