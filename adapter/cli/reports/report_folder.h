// Writes the report folder of a history, with the details of the command line.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/options/check_request.h"
#include "adapter/elle/evidence_dir.h"
#include "adapter/report/report_model.h"
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

}  // namespace elapid
