// The report of `elapid check` on one history.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adapter/cli/options/check_request.h"
#include "adapter/cli/reports/junit.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/elle/evidence_dir.h"
#include "parsers/door/door.h"

namespace elapid {

/// The history of a report.
struct ReportSubject {
  std::string path = {};
  std::size_t input = 0;     ///< place of its input among all
  std::size_t part = 0;      ///< place among the histories of its input
  bool is_alone = true;      ///< there is no other history
  std::string vacuity = {};  ///< see vacuity(), of this history
  Report lint = {};          ///< see lint_failure(), of this history
};

/// The verdict with its evidence as text or as a result map (the caller makes JUnit's suites),
/// notes on standard error, and the files that the request asks for.
[[nodiscard]] Report check_report(const CheckRequest& request, const ReportSubject& subject,
                                  CheckedHistory& checked, Progress& progress);

/// The JSON line of an input that could not be checked: `{"file": "...", "error": "..."}`. With a
/// "key" if the error is about one independent key.
[[nodiscard]] std::string error_map(const std::string& path, const std::string& key,
                                    const Error& error);

/// The verdict as test cases: one, or one for each level of a ladder, and those of demands beside
/// the levels: `availability` if it failed, `contention` and `lint`. The first failed case has the
/// explanation of the verdict.
[[nodiscard]] std::vector<JUnitCase> junit_cases(const CheckRequest& request,
                                                 const ReportSubject& subject,
                                                 CheckedHistory& checked);

/// The findings of lint, if the request makes them a failure.
[[nodiscard]] Report lint_failure(const CheckRequest& request, LoadedHistory& loaded);

/// What fails beside the verdict by --fail-on.
[[nodiscard]] Report further_failures(const std::string& label, const std::string& vacuity,
                                      Report lint);

/// Why the history fails as vacuous; empty if it does not, or if the request does not ask.
[[nodiscard]] std::string vacuity(const CheckRequest& request, const History& history);

/// Writes the evidence files of a history of `input` into `directory`, and `more` with them. The
/// report tells what was left out, and errors, also Ctrl-C.
[[nodiscard]] Report evidence_report(const std::string& input, const std::string& directory,
                                     const PlotOptions& plots, LoadedHistory& loaded,
                                     const Verdict& verdict, std::vector<EvidenceFile> more,
                                     Progress& progress);

}  // namespace elapid
