// elapid lint: finds reasons to doubt a verdict on a history.
#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/lint/lint_report.h"
#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"

namespace elapid {
namespace {

struct LintFlags {
  InputFlags input;
  std::string fail_on = "invalid";
};

struct LintRequest {
  ReadOptions read;
  OutputFormat output = OutputFormat::kText;
  bool fail = false;
};

Report lint_one(const std::string& path, LoadedHistory& loaded, const LintRequest& request) {
  const Result<std::vector<LintFinding>> findings = lint(loaded);
  if (!findings) {
    return error_report(findings.error());
  }
  const bool failed = request.fail && !findings.value().empty();
  return {.out = request.output == OutputFormat::kText
                     ? findings_text(loaded, findings.value())
                     : findings_map(label_of(path, loaded), loaded, findings.value(),
                                    syntax_of(request.output)),
          .is_document = request.output != OutputFormat::kText,
          .code = failed ? ExitCode::kLint : ExitCode::kOk};
}

Result<Report> lint_report(const std::string& path, const LintRequest& request,
                           Progress& progress) {
  ELAPID_ASSIGN_OR_RETURN(std::vector<LoadedHistory> loaded,
                          read_inputs(path, request.read, progress));
  progress.stage(path, "lint");
  Report report;
  for (LoadedHistory& history : loaded) {
    append(report, lint_one(path, history, request));
  }
  return report;
}

Result<ExitCode> run_lint(const LintFlags& flags) {
  Result<ReadOptions> read = read_options(flags.input);
  const Result<FailOn> fail_on = parse_fail_on(flags.fail_on);
  ELAPID_RETURN_IF_ERROR(read);
  ELAPID_RETURN_IF_ERROR(fail_on);
  if (fail_on.value().vacuous) {
    return usage_error("--fail-on vacuous needs elapid check or elapid scan");
  }
  ELAPID_ASSIGN_OR_RETURN(const std::vector<std::string> paths, histories_named(flags.input));
  LintRequest request = {.read = std::move(read).value(),
                         .output = output_format(flags.input),
                         .fail = fail_on.value().lint};
  request.read.for_lint = true;
  Progress progress(false);
  return print_reports(paths.size(), thread_count(flags.input), progress, [&](std::size_t input) {
    return lint_report(paths[input], request, progress);
  });
}

}  // namespace

Command lint_command() {
  const auto flags = std::make_shared<LintFlags>();
  Command command = {.name = "lint",
                     .about = "What makes a verdict on a history doubtful",
                     .run = [flags] { return run_lint(*flags); }};
  add_input_flags(command.options, flags->input);
  add_fail_on(command.options, flags->fail_on);
  return command;
}

}  // namespace elapid
