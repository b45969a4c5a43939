// Writes the report folder of a history, with the details of the command line.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/options/check_request.h"
#include "adapter/elle/evidence_dir.h"
#include "adapter/report/order/order_picture.h"
#include "adapter/report/report_model.h"
#include "engine/check/check.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// The files of the report on a history of the input at `path`, with what other checkers said of
/// it; none for Elle, which writes no such thing. `spent`: by the check; what is judged again for
/// the report has what is left of its time.
[[nodiscard]] std::vector<EvidenceFile> files_of_report(const CheckRequest& request,
                                                        const std::string& path,
                                                        LoadedHistory& loaded,
                                                        const Verdict& verdict,
                                                        std::optional<ReportOpinions> opinions = {},
                                                        std::chrono::duration<double> spent = {});

// The order of a history of single operations that its report shows.

/// Of a linearizable history that of the verdict, of the object with the most operations. Of
/// another one that of the longest beginning that is found to have one: what precedes the return of
/// the last operation of the core, and again of what refutes that, as long as something does. Empty
/// for other histories, and where the verdict, or one on a beginning, is unknown.
[[nodiscard]] OrderFound order_found(const History& history, const Verdict& verdict,
                                     const CheckOptions& options);

}  // namespace elapid
