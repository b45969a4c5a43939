// The report on a history that checkers contradict one another about.
#pragma once

#include <string>

#include "adapter/cli/commands/compare/compare_request.h"
#include "adapter/cli/commands/compare/compared_history.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/report/report_model.h"
#include "parsers/read.h"

namespace elapid {

/// What each checker said, as a report shows it.
[[nodiscard]] ReportOpinions opinions_of(const CompareRequest& request,
                                         const ComparedHistory& history);

/// Writes Elapid's own report into the history's folder, with what each checker said; nothing where
/// they agree, or where no files are wanted. Errors are in the result.
[[nodiscard]] Report report_comparison(const CompareRequest& request, const std::string& path,
                                       LoadedHistory& loaded, const ComparedHistory& history);

}  // namespace elapid
