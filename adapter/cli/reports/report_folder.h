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

/// The files of the report on a history of the input at `path`, with other checkers' answers about
/// it. None with elle_compat. `spent`: the time of the check; further checks for the report have
/// the rest of its limit.
[[nodiscard]] std::vector<EvidenceFile> files_of_report(const CheckRequest& request,
                                                        const std::string& path,
                                                        LoadedHistory& loaded,
                                                        const Verdict& verdict,
                                                        std::optional<ReportOpinions> opinions = {},
                                                        std::chrono::duration<double> spent = {});

// The order of a history of single operations that its report shows.

/// For a linearizable history: the verdict's order of the object with the most operations. For
/// another history: the order of its longest prefix that is found to have one. The search takes the
/// events before the return of the core's last operation, and repeats that as long as the prefix is
/// refuted. Empty for other histories, and if the verdict, or one on a prefix, is unknown.
[[nodiscard]] OrderFound order_found(const History& history, const Verdict& verdict,
                                     const CheckOptions& options);

}  // namespace elapid
