// The folder that a check writes: its report, and files for each finding.
//
//   report.html              the page
//   summary.txt, summary.md  the same in short, for a terminal and for an issue
//   findings/1.txt           a finding each, in the order of the report: words,
//   findings/1.md            Markdown,
//   findings/1.svg, 1.dot    pictures
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/elle/evidence_dir.h"
#include "adapter/report/report_model.h"
#include "engine/ir/result.h"

namespace elapid {

/// The files of a report, by their paths in the folder.
[[nodiscard]] std::vector<EvidenceFile> report_files(const ReportModel& report);

/// The text about one finding, counted from 1, or about all (nothing). `form`: txt, md, svg or dot.
/// For all findings: as text the verdict and a line for each finding, as Markdown the summary;
/// there is no picture of all. Error: kUnreadable for a folder without a report, kUsage for an
/// unknown finding or form.
[[nodiscard]] Result<std::string> read_finding(const std::filesystem::path& folder,
                                               std::optional<std::size_t> finding,
                                               std::string_view form);

}  // namespace elapid
