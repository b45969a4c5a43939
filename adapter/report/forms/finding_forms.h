// One finding of a report as text, and as Markdown for an issue, with the sentences of the
// page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "adapter/report/report_model.h"

namespace elapid {

/// `a1  G-single: read skew; keys 1121, 1122; 3 transactions; 2 of this class`, on one line.
[[nodiscard]] std::string finding_line(const ReportFinding& finding);

/// The lines below it: the participants, and the numbered proof with its steps, with those of
/// followers. No character in them can command a terminal.
[[nodiscard]] std::vector<std::string> finding_lines(const ReportFinding& finding);

/// finding_line() and finding_lines(), and the levels that the finding rules out.
[[nodiscard]] std::string finding_text(const ReportFinding& finding);

/// A heading, then finding_text() in a block of code, at most `most_bytes`.
[[nodiscard]] std::string finding_markdown(const ReportFinding& finding, std::size_t most_bytes);

/// Text of a history within a line of Markdown: no part of it acts as markup or mentions a user.
[[nodiscard]] std::string markdown(std::string_view text);

/// Lines of text as a block of code, even if they contain backquotes.
[[nodiscard]] std::string markdown_block(const std::vector<std::string>& lines,
                                         std::size_t most_bytes);

}  // namespace elapid
