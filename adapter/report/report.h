// The report on a checked history: the verdict, the reasons, how certain it is and how to repeat
// the check, for an engineer who must be convinced.
//
//   const ReportModel model = report_of(checked.loaded, checked.verdict, {.path = "run.edn"});
//   write_file("report.html", report_page(model));
//
// A report is one model (report_model.h), and forms of it: a page that stands alone (report_page),
// the same sentences for a terminal (report_text) and for an issue (report_markdown), and single
// findings (finding_forms.h). write_report() leaves all of them in a folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/report/report_model.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// Facts that only the caller knows.
struct ReportOptions {
  std::string path = {};                           ///< of the input, as the user named it
  std::string version = {};                        ///< of the program
  std::string_view clock_skew = "the clock skew";  ///< the caller's name of its bound
  std::string more_budget = {};                    ///< how to raise limits, in the caller's words
  std::vector<ReportFact> reproduce = {};          ///< a purpose, and the command
  std::vector<ReportFact> origin = {};             ///< further facts about the input, as its hash
  std::optional<ReportOpinions> opinions = {};     ///< of other checkers
  ReportLimits limits = {};
};

/// Reads the transactions that evidence names from the source again: about a millisecond, and one
/// pass over the source's lines to number them.
[[nodiscard]] ReportModel report_of(LoadedHistory& loaded, const Verdict& verdict,
                                    const ReportOptions& options);

/// The page, under a megabyte. Beyond that it leaves out pictures, and tells where they are.
[[nodiscard]] std::string report_page(const ReportModel& model);

/// At most 60 lines.
[[nodiscard]] std::string report_text(const ReportModel& model);

/// At most 60,000 bytes, the limit of an issue.
[[nodiscard]] std::string report_markdown(const ReportModel& model);

}  // namespace elapid
