// The charts of the overview: pieces of SVG that fill any width. They contain no text: their titles
// and scales stand beside them as text of the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "adapter/report/overview.h"

namespace elapid {

/// The number of transactions that ended in each part, by outcome, before the bands of faults. The
/// highest count of a part is the top. One chart of the page defines the bands for all others.
[[nodiscard]] std::string rate_chart(const ReportOverview& overview, bool defines_bands = true);

/// The most transactions of one outcome in a part, never 0.
[[nodiscard]] std::size_t highest_count(const ReportOverview& overview);

/// The durations of committed transactions, on a logarithmic scale of whole decades.
[[nodiscard]] std::string latency_chart(const ReportOverview& overview);

/// Its horizontal lines: the distance from the top, from 0 to 1, and the ns. At least two.
[[nodiscard]] std::vector<std::pair<double, std::int64_t>> latency_lines(
    const ReportOverview& overview);

/// The errors of clocks, a line a node, around the middle.
[[nodiscard]] std::string clock_chart(const ReportOverview& overview);

/// The greatest offset of a clock, in seconds; never 0.
[[nodiscard]] double greatest_offset(const ReportOverview& overview);

/// The places of the anomalies: the more, the darker.
[[nodiscard]] std::string heat_chart(const ReportOverview& overview);

/// The labels below an axis: the place, from 0 to 1, and the moment. At most seven.
[[nodiscard]] std::vector<std::pair<double, std::uint64_t>> overview_ticks(
    const ReportOverview& overview);

}  // namespace elapid
