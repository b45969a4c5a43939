// One finding of a report as text, and as Markdown that an issue takes: the same sentences as on
// the page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adapter/report/report_model.h"

namespace elapid {

/// `a1  G-single: read skew; keys 1121, 1122; 3 transactions; 2 of this class`, on one line.
[[nodiscard]] std::string finding_line(const ReportFinding& finding);

/// The lines below it: the participants, and the numbered proof with its steps, those of followers
/// too. Nothing in them can command a terminal.
[[nodiscard]] std::vector<std::string> finding_lines(const ReportFinding& finding);

/// finding_line() and finding_lines(), and which levels it rules out.
[[nodiscard]] std::string finding_text(const ReportFinding& finding);

/// A heading, then the same in a block of code, at most `most_bytes`.
[[nodiscard]] std::string finding_markdown(const ReportFinding& finding, std::size_t most_bytes);

/// Text of a history within a line of Markdown: nothing in it is markup or mentions a user.
[[nodiscard]] std::string markdown(std::string_view text);

/// Lines of text as a block of code, whatever backquotes are in them.
[[nodiscard]] std::string markdown_block(const std::vector<std::string>& lines,
                                         std::size_t most_bytes);

}  // namespace elapid
