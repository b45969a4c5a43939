// The notes of a report beside its findings: how sure the verdict is, what stays unknown, what was
// assumed, and what is in the history.
#pragma once

#include <string>
#include <vector>

#include "adapter/report/report.h"
#include "adapter/report/report_model.h"
#include "adapter/source/source_lines.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// How sure the verdict is: what verified the evidence again, whether the check is complete, what
/// the clocks decide.
[[nodiscard]] std::vector<std::string> certainty_of(const Verdict& verdict,
                                                    std::string_view clock_skew);

/// What was not decided, why, and what helps; empty where everything was.
[[nodiscard]] std::vector<std::string> unknown_of(const Verdict& verdict,
                                                  const ReportOptions& options);

/// What reader, format and question took for granted, one sentence each.
[[nodiscard]] std::vector<std::string> assumptions_of(const History& history,
                                                      const Verdict& verdict);

/// What is in the history. Linear in its transactions.
[[nodiscard]] std::vector<ReportFact> facts_of(const LoadedHistory& loaded);

/// Adds the first of the reader's remarks, and how many more there are.
void add_remarks(LoadedHistory& loaded, const ReportLimits& limits, ReportModel& report);

}  // namespace elapid
