// The parts of the page, each a piece of HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/report/report_model.h"

namespace elapid {

/// The verdict in large letters, and its details.
[[nodiscard]] std::string page_verdict(const ReportModel& report);

/// The levels that engineers know, as a chart for a first look; empty for workloads without
/// levels.
[[nodiscard]] std::string page_chart(const ReportModel& report);

/// All levels with their definitions; empty for workloads without levels.
[[nodiscard]] std::string page_levels(const ReportModel& report);

/// The history from beginning to end; empty if the pictures show the whole history.
[[nodiscard]] std::string page_overview(const ReportModel& report);

/// The index of anomalies, and a card for each. Pictures are drawn while `bytes_left` lasts.
[[nodiscard]] std::string page_findings(const ReportModel& report, std::size_t bytes_left);

/// The three views of a finding; empty if nothing can be drawn.
struct FindingPictures {
  bool is_small = false;  ///< few transactions: the table comes first; else it opens on request
  std::string graph = {};
  std::string timeline = {};
  std::string table = {};
};

/// Draws them if they fit into `bytes_left`, and subtracts them; else tells where they are.
[[nodiscard]] FindingPictures finding_pictures(const ReportFinding& finding,
                                               std::size_t& bytes_left);

/// Numbered sentences with their steps.
[[nodiscard]] std::string page_proof(const std::vector<ReportSentence>& sentences);

/// The participating transactions.
[[nodiscard]] std::string page_cast(const ReportFinding& finding);

/// The definitions that the finding breaks, and the levels that it leaves possible.
[[nodiscard]] std::string page_reasons(const ReportModel& report, const ReportFinding& finding);

/// How certain the verdict is, what stays unknown, the assumptions and remarks, how to repeat the
/// check, and the contents of the history.
[[nodiscard]] std::string page_notes(const ReportModel& report);

/// Links to the sections, for the side of the page.
[[nodiscard]] std::string page_contents(const ReportModel& report);

/// Shapes for other parts to refer to.
[[nodiscard]] std::string page_shapes();

/// One of these shapes, as `shape-holds`; screen readers skip it.
[[nodiscard]] std::string page_shape(std::string_view name);

/// A piece that opens without a script. `summary` is HTML.
[[nodiscard]] std::string page_details(std::string_view kind, std::string_view summary,
                                       std::string_view content, bool is_open = false);

}  // namespace elapid
