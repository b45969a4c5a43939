// The parts of the page, each a piece of HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/report/report_model.h"

namespace elapid {

/// The verdict in large, and what is said of it.
[[nodiscard]] std::string page_verdict(const ReportModel& report);

/// The levels that engineers know, as a chart that is seen at once; empty for workloads that have
/// none.
[[nodiscard]] std::string page_chart(const ReportModel& report);

/// All levels with their definitions; likewise.
[[nodiscard]] std::string page_levels(const ReportModel& report);

/// The history from its first moment to its last; empty for one that pictures show whole.
[[nodiscard]] std::string page_overview(const ReportModel& report);

/// The index of anomalies, and a card for each. Pictures are drawn while `bytes_left` lasts.
[[nodiscard]] std::string page_findings(const ReportModel& report, std::size_t bytes_left);

/// The three views of a finding; empty where nothing can be drawn.
struct FindingPictures {
  bool is_small = false;  ///< few transactions: the table is read first; else it opens on request
  std::string graph = {};
  std::string timeline = {};
  std::string table = {};
};

/// Draws them if there is room, and takes it; else a word on where they are.
[[nodiscard]] FindingPictures finding_pictures(const ReportFinding& finding,
                                               std::size_t& bytes_left);

/// Numbered sentences with their steps.
[[nodiscard]] std::string page_proof(const std::vector<ReportSentence>& sentences);

/// The transactions that take part.
[[nodiscard]] std::string page_cast(const ReportFinding& finding);

/// Which definitions the finding breaks, and what it leaves standing.
[[nodiscard]] std::string page_reasons(const ReportModel& report, const ReportFinding& finding);

/// How sure, what stays unknown, what was assumed and remarked, how to see it again, and what is in
/// the history.
[[nodiscard]] std::string page_notes(const ReportModel& report);

/// Links to the sections, for the side of the page.
[[nodiscard]] std::string page_contents(const ReportModel& report);

/// Shapes that other parts refer to.
[[nodiscard]] std::string page_shapes();

/// One of these, as `shape-holds`; screen readers pass over it.
[[nodiscard]] std::string page_shape(std::string_view name);

/// A piece that opens without a script. `summary` is HTML.
[[nodiscard]] std::string page_details(std::string_view kind, std::string_view summary,
                                       std::string_view content, bool is_open = false);

}  // namespace elapid
